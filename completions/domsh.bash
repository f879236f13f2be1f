# bash completion for domsh
# Made by script/completions from the table of options; change that, not this.

_domsh_files() {  # files, or what $1 asks compgen for; names may hold blanks
    local IFS=$'\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen "$@" -- "$word"))
}

_domsh() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    local mode= options index
    COMPREPLY=()
    if [[ $word == = ]]; then
        word=
    elif [[ $before == = && $COMP_CWORD -gt 1 ]]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
    fi
    for ((index = 1; index < COMP_CWORD; index++)); do
        case ${COMP_WORDS[index]} in
            -c|--site|--timeout|--color|--var|--state|--deadline|--junit|--artifacts|--server|--token-env|--lane|--browser|--cdp|--profile|--proxy|--config|--http|--allow-domains|--port|--wait) [[ ${COMP_WORDS[index+1]} == = ]] && ((index++)); ((index++)) ;;
            -*) ;;
            *) mode=${COMP_WORDS[index]}; break ;;
        esac
    done
    case $before in
        --site|--artifacts|--profile) _domsh_files -d; return ;;
        --color) COMPREPLY=($(compgen -W 'auto always never' -- "$word")); return ;;
        --state|--junit|--browser|--config) _domsh_files -f; return ;;
        --server) COMPREPLY=($(compgen -W 'builtin domshell' -- "$word")); return ;;
        --token-env) COMPREPLY=($(compgen -e -- "$word")); return ;;
        --lane) COMPREPLY=($(compgen -W 'new shared' -- "$word")); return ;;
        -c|--timeout|--var|--deadline|--cdp|--proxy|--http|--allow-domains|--port|--wait) return ;;
    esac
    if [[ $word == -* ]]; then
        case $mode in
            serve) options='--stdio --http --allow-remote --allow-domains --token-env --read-only --browser --cdp --headed --profile --proxy --insecure --allow-file --config --debug -h --help' ;;
            bridge) options='--port --wait --plain --token-env --read-only --browser --cdp --headed --profile --proxy --insecure --allow-file --config --debug -h --help' ;;
            *) options='-c --site --json --timeout --color --plain --echo --var --state --deadline --junit --artifacts --shell-on-failure --step -q --quiet --server --token-env --lane --read-only --browser --cdp --headed --profile --proxy --insecure --allow-file --allow-shell --daemon --config --debug --version -h --help' ;;
        esac
        COMPREPLY=($(compgen -W "$options" -- "$word"))
    elif [[ -z $mode ]]; then
        COMPREPLY=($(compgen -W 'run check config doctor daemon serve bridge' -- "$word"))
    elif [[ $mode == daemon ]]; then
        COMPREPLY=($(compgen -W 'start stop status' -- "$word"))
    elif [[ $mode == run ]]; then
        _domsh_files -f -X '!*.domsh'
        local scripts=("${COMPREPLY[@]}")
        _domsh_files -d
        COMPREPLY=("${scripts[@]}" "${COMPREPLY[@]}")
        ((${#COMPREPLY[@]})) || _domsh_files -f
    fi
}

complete -F _domsh domsh
