"""The shell script that leads a browser's session and outlives us for as long as it takes.

It is run by ``/bin/sh -c`` with the temporary profile, or nothing, as ``$0`` and the browser's
command as its arguments. It finds the browser's debugging pipe at 3 and 4 and the lifeline at 5.
"""

from __future__ import annotations

__all__ = ["SUPERVISOR"]

# The script runs as the leader of the session and removes the profile, if there is one, when the
# browser has ended, also when we were killed. It survives a signal to the whole session (a trapped
# signal is the default again in what it starts) and a message to a standard error that nobody
# reads any more. It lets go of the pipe first, for whoever waits for its end. The second rm is for
# files that a process of the browser wrote while the first one ran.
#
# A browser ends with its pipe, but one that hangs does not. So a watchdog waits for the end of the
# lifeline, of which we hold the other end and which the kernel closes when nothing of us can act
# any more. What has not ended 3 seconds later is told to, and killed after one more. Told by the
# script that the browser has ended, it kills what is left of the session without us. Until it
# hears that it minds it as little as the script: a browser that ends at once must not end it.
SUPERVISOR = """\
trap "" PIPE USR1; trap : HUP INT TERM
{
  ended=
  trap "" HUP INT TERM; trap ended=1 USR1
  read -r _
  for _ in 1 2 3; do sleep 1; [ -z "$ended" ] || kill -KILL 0; done
  kill -TERM 0; kill -CONT 0
  sleep 1
  [ -z "$0" ] || rm -rf -- "$0"
  kill -KILL 0
} <&5 3<&- 4>&- >/dev/null 2>&1 &
exec 5<&-; trap - USR1
"$@"
status=$?
exec 3<&- 4>&- 2>/dev/null
[ -z "$0" ] || rm -rf -- "$0" || { sleep 1; rm -rf -- "$0"; }
kill -USR1 $! 2>/dev/null
exit $status"""
