#!/bin/sh
# Submits a CreateTrainingJob request with nothing but curl, 7.76 or newer: examples/curl.sh [request.json]
set -eu
curl --silent --show-error --fail-with-body \
    --aws-sigv4 "aws:amz:${AWS_DEFAULT_REGION}:execute-api" \
    --user "${AWS_ACCESS_KEY_ID}:${AWS_SECRET_ACCESS_KEY}" \
    ${AWS_SESSION_TOKEN:+--header "X-Amz-Security-Token: ${AWS_SESSION_TOKEN}"} \
    --header "Content-Type: application/json" \
    --data-binary "@${1:-$(dirname "$0")/request.json}" \
    "${SAGEQUEUE_API_URL}/add-job"
