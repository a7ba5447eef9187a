"""The call about people who sign in at the hosted page: GET /people."""

from typing_extensions import TypedDict

from api.call import Call
from scheduler.core.callers.names import names_of_people
from scheduler.wiring import shared


class People(TypedDict):
    """The names of people by their IDs in the user pool. Owners and authors contain these IDs as `person/ROLE/ID`.

    A name is a verified email address that no other user has. It identifies nobody: permissions depend on the ID.
    """

    people: dict[str, str]


def list_people(_call: Call) -> People:
    people = shared.people()
    return {"people": names_of_people(people.all()) if people else {}}
