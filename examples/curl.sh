#!/bin/sh
# Submits a CreateTrainingJob request with nothing but curl, 7.76 or newer, and waits for the end of the job:
#   examples/curl.sh [request.json]
# It exits with 0 if the job completed, 10 if it failed, 11 if it was stopped, 12 if it is parked (it needs a change), 1 if the
# queue refuses it, 2 if there is no such file, 5 if the queue cannot be reached. POLL_SECONDS (15) is the time between two polls.
set -eu

request=${1:-$(dirname "$0")/request.json}
[ -r "$request" ] || { echo "curl.sh: $request cannot be read" >&2; exit 2; }

# Calls can be repeated without harm.
call() {
    curl --silent --show-error --fail-with-body --max-time 30 --retry 5 --retry-connrefused \
        --aws-sigv4 "aws:amz:${AWS_DEFAULT_REGION}:execute-api" \
        --user "${AWS_ACCESS_KEY_ID}:${AWS_SECRET_ACCESS_KEY}" \
        ${AWS_SESSION_TOKEN:+--header "X-Amz-Security-Token: ${AWS_SESSION_TOKEN}"} \
        "$@"
}

# The job's own members come before those of its attempts and its request.
member() {
    printf '%s' "$job" | grep --only-matching "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4
}

# A refusal has a message, a field and a remedy.
fail() {
    printf '%s\n' "$job" >&2
    [ "$1" -eq 22 ] && exit 1 || exit 5
}

json="Content-Type: application/json"
job=$(call --header "$json" --data-binary "@$request" "$SAGEQUEUE_API_URL/add-job") || fail $?
name=$(member name) seen=
while :; do
    state=$(member state)
    [ "$state" = "$seen" ] || echo "$name is $state"
    seen=$state
    case $state in
        completed) exit 0 ;;
        failed) exit 10 ;;
        stopped) exit 11 ;;
        parked) exit 12 ;;
    esac
    sleep "${POLL_SECONDS:-15}"
    job=$(call "$SAGEQUEUE_API_URL/jobs/$name") || fail $?
done
