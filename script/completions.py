"""Makes the files that let bash, zsh and fish complete ``domsh``, from the tables of options.

``script/completions`` writes them to ``completions/``; a test compares these with what is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from domsh_repl.door_options import DOORS
from domsh_repl.option import Completes, Option
from domsh_repl.optiontables import CALLS, OPTIONS

__all__ = ["FILES"]

_MADE = "# Made by script/completions from the table of options; change that, not this."
_MODES = tuple(call for call in CALLS if call.name)
_SHORT = 2
"""Characters of an option with one dash."""


def _named(options: Iterable[Option]) -> list[Option]:
    return [option for option in options if option.names]


def _all_options() -> dict[str, Option]:
    """Return every option of every mode by its names."""
    known: dict[str, Option] = {}
    for options in (OPTIONS, *(door.options for door in DOORS.values())):
        known |= {name: option for option in _named(options) for name in option.names}
    return known


# --- bash ---------------------------------------------------------------------------------------

_BASH = """\
# bash completion for domsh
{made}

_domsh_files() {{  # files, or what $1 asks compgen for; names may hold blanks
    local IFS=$'\\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen "$@" -- "$word"))
}}

_domsh() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
    local mode= options index
    COMPREPLY=()
    if [[ $word == = ]]; then
        word=
    elif [[ $before == = && $COMP_CWORD -gt 1 ]]; then
        before=${{COMP_WORDS[COMP_CWORD-2]}}
    fi
    for ((index = 1; index < COMP_CWORD; index++)); do
        case ${{COMP_WORDS[index]}} in
            {valued}) [[ ${{COMP_WORDS[index+1]}} == = ]] && ((index++)); ((index++)) ;;
            -*) ;;
            *) mode=${{COMP_WORDS[index]}}; break ;;
        esac
    done
    case $before in
{values}
    esac
    if [[ $word == -* ]]; then
        case $mode in
{doors}
            *) options='{options}' ;;
        esac
        COMPREPLY=($(compgen -W "$options" -- "$word"))
    elif [[ -z $mode ]]; then
        COMPREPLY=($(compgen -W '{modes}' -- "$word"))
{verbs}
    elif [[ $mode == run ]]; then
        _domsh_files -f -X '!*.domsh'
        local scripts=("${{COMPREPLY[@]}}")
        _domsh_files -d
        COMPREPLY=("${{scripts[@]}}" "${{COMPREPLY[@]}}")
        ((${{#COMPREPLY[@]}})) || _domsh_files -f
    fi
}}

complete -F _domsh domsh
"""


def _bash() -> str:
    known = _all_options()
    valued = [name for name, option in known.items() if option.value]
    return _BASH.format(
        made=_MADE,
        valued="|".join(valued),
        values="\n".join(_bash_values(known)),
        doors="\n".join(
            f"            {name}) options='{_bash_names(door.options)}' ;;"
            for name, door in DOORS.items()
        ),
        options=_bash_names(OPTIONS),
        modes=" ".join(call.name for call in _MODES),
        verbs="\n".join(_bash_verbs()),
    )


def _bash_verbs() -> Iterator[str]:
    for call in _MODES:
        if call.verbs:
            yield f"    elif [[ $mode == {call.name} ]]; then"
            words = " ".join(verb for verb, _ in call.verbs)
            yield f"        COMPREPLY=($(compgen -W '{words}' -- \"$word\"))"


def _bash_values(known: Mapping[str, Option]) -> Iterator[str]:
    """Yield a case for each kind of value; options without anything to offer share the last."""
    cases: dict[str, list[str]] = {}
    for name, option in known.items():
        if option.value:
            cases.setdefault(_bash_action(option), []).append(name)
    nothing = cases.pop("", [])
    for action, names in [*cases.items(), *([("", nothing)] if nothing else [])]:
        done = f"{action}; return" if action else "return"
        yield f"        {'|'.join(names)}) {done} ;;"


def _bash_action(option: Option) -> str:
    if option.words:
        return f"""COMPREPLY=($(compgen -W '{" ".join(option.words)}' -- "$word"))"""
    return {
        Completes.FILE: "_domsh_files -f",
        Completes.FOLDER: "_domsh_files -d",
        Completes.VARIABLE: 'COMPREPLY=($(compgen -e -- "$word"))',
        Completes.NOTHING: "",
    }[option.completes]


def _bash_names(options: Iterable[Option]) -> str:
    return " ".join(name for option in _named(options) for name in option.names)


# --- zsh ----------------------------------------------------------------------------------------

_ZSH = """\
#compdef domsh
# zsh completion for domsh
{made}

_domsh_operands() {{
  local -a modes=(
{modes}
  )
  if [[ $line[1] == run && $#line -gt 1 ]]; then
    _files -g '*.domsh' || _files
{verbs}
  elif (( $#line < 2 )); then
    _describe -t modes mode modes
  fi
}}

_domsh() {{
  local curcontext=$curcontext
  local -a line
  case $words[2] in
{doors}
  esac
  _arguments -S \\
{options} \\
    '*: :_domsh_operands'
}}

_domsh "$@"
"""
_ZSH_DOOR = """\
    {name})
      if (( CURRENT > 2 )); then
        shift words
        (( CURRENT-- ))
        _arguments -S \\
{options}
        return
      fi
      ;;"""


def _zsh() -> str:
    doors = (
        _ZSH_DOOR.format(name=name, options=_zsh_options(door.options, 10))
        for name, door in DOORS.items()
    )
    modes = (f"    {_quoted(f'{call.name}:{call.help}')}" for call in _MODES)
    return _ZSH.format(
        made=_MADE,
        modes="\n".join(modes),
        verbs="\n".join(_zsh_verbs()),
        doors="\n".join(doors),
        options=_zsh_options(OPTIONS, 4),
    )


def _zsh_verbs() -> Iterator[str]:
    for call in _MODES:
        if call.verbs:
            yield f"  elif [[ $line[1] == {call.name} ]] && (( $#line == 2 )); then"
            words = " ".join(_quoted(f"{verb}:{text}") for verb, text in call.verbs)
            yield f"    local -a verbs=({words})"
            yield "    _describe -t verbs verb verbs"


def _zsh_options(options: Iterable[Option], indent: int) -> str:
    specs = [spec for option in _named(options) for spec in _zsh_specs(option)]
    return " \\\n".join(f"{' ' * indent}{_quoted(spec)}" for spec in specs)


def _zsh_specs(option: Option) -> Iterator[str]:
    shown = option.help
    for sign in "\\[]:":
        shown = shown.replace(sign, f"\\{sign}")
    both = f"({' '.join(option.names)})" if len(option.names) > 1 else ""
    for name in option.names:
        equals = "=" if option.value and len(name) > _SHORT else ""
        yield f"{both}{name}{equals}[{shown}]{_zsh_value(option)}"


def _zsh_value(option: Option) -> str:
    if not option.value:
        return ""
    action = {
        Completes.FILE: "_files",
        Completes.FOLDER: "_files -/",
        Completes.VARIABLE: "_parameters -g '*export*'",
        Completes.NOTHING: " ",
    }[option.completes]
    if option.words:
        action = f"({' '.join(option.words)})"
    value = option.value.replace(":", "\\:")
    return f":{value}:{action}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


# --- fish ---------------------------------------------------------------------------------------


def _fish() -> str:
    return "\n".join(_fish_lines()) + "\n"


def _fish_lines() -> Iterator[str]:
    yield "# fish completion for domsh"
    yield _MADE
    yield ""
    yield "complete -c domsh -f"
    for call in _MODES:
        yield (
            f"complete -c domsh -n __fish_use_subcommand -a {call.name} -d {_for_fish(call.help)}"
        )
    yield (
        "complete -c domsh -n '__fish_seen_subcommand_from run' -k -x"
        " -a '(__fish_complete_suffix .domsh)'"
    )
    for call in _MODES:
        verbs = " ".join(verb for verb, _ in call.verbs)
        for verb, text in call.verbs:
            seen = f"__fish_seen_subcommand_from {call.name}"
            once = f"{seen}; and not __fish_seen_subcommand_from {verbs}"
            yield f"complete -c domsh -n '{once}' -a {verb} -d {_for_fish(text)}"
    doors = " ".join(DOORS)
    yield from _fish_options(f"not __fish_seen_subcommand_from {doors}", OPTIONS)
    for name, door in DOORS.items():
        yield from _fish_options(f"__fish_seen_subcommand_from {name}", door.options)


def _fish_options(where: str, options: Iterable[Option]) -> Iterator[str]:
    for option in _named(options):
        names = " ".join(
            f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names
        )
        value = f" {_fish_value(option)}" if option.value else ""
        yield f"complete -c domsh -n '{where}' {names}{value} -d {_for_fish(option.help)}"


def _fish_value(option: Option) -> str:
    if option.words:
        return f"-x -a '{' '.join(option.words)}'"
    return {
        Completes.FILE: "-r -F",
        Completes.FOLDER: "-x -a '(__fish_complete_directories)'",
        Completes.VARIABLE: "-x -a '(set --names --export)'",
        Completes.NOTHING: "-x",
    }[option.completes]


def _for_fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


FILES: Mapping[str, Callable[[], str]] = {
    "completions/domsh.bash": _bash,
    "completions/_domsh": _zsh,
    "completions/domsh.fish": _fish,
}
"""What makes each file."""


def _write() -> None:
    root = Path(__file__).parent.parent
    for name, make in FILES.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(make(), encoding="utf-8")
        print(name)


if __name__ == "__main__":
    _write()
