"""Signs requests with SigV4 by botocore, so that every kind of AWS credentials works."""

import boto3
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import ReadOnlyCredentials
from botocore.exceptions import BotoCoreError
from requests import PreparedRequest
from requests.auth import AuthBase

from sagequeue.api.endpoint import region_of
from sagequeue.errors import CredentialsMissing, NotConfigured

SIGN_IN = "Sign in as for the AWS CLI: aws configure, aws sso login, AWS_PROFILE or AWS_ACCESS_KEY_ID."


class ExecuteApiAuth(AuthBase):
    """Signs each request for API Gateway, with the credentials that are valid at that moment."""

    def __init__(self, session: boto3.Session, api_url: str) -> None:
        self._session = session
        self._region = _region(session, api_url)

    def __call__(self, request: PreparedRequest) -> PreparedRequest:
        copy = AWSRequest(request.method, request.url, data=request.body, headers={"Content-Type": "application/json"})
        SigV4Auth(self._credentials(), "execute-api", self._region).add_auth(copy)
        request.headers.update(dict(copy.headers.items()))
        return request

    def _credentials(self) -> ReadOnlyCredentials:
        try:
            found = self._session.get_credentials()
            if found is None:
                raise CredentialsMissing("No AWS credentials found.", SIGN_IN)
            return found.get_frozen_credentials()  # refreshes them if they have expired
        except BotoCoreError as error:
            raise CredentialsMissing(f"The AWS credentials cannot be used: {error}.", SIGN_IN) from error


def _region(session: boto3.Session, api_url: str) -> str:
    # The API's own region: a signature for a session's other default region would be refused.
    region = region_of(api_url) or session.region_name
    if not region:
        raise NotConfigured("No AWS region is set, so calls cannot be signed.", "Set AWS_DEFAULT_REGION.")
    return region
