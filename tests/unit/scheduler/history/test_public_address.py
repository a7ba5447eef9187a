"""The addresses that webhooks may not be sent to."""

from ipaddress import IPv4Network

import pytest

from scheduler.core.history.webhooks.public_address import REFUSED, is_public

#: IANA's registries of special purposes and of multicast addresses.
SPECIAL = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "192.175.48.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
]


def test_the_list_is_exactly_this() -> None:
    assert list(map(str, REFUSED)) == SPECIAL


@pytest.mark.parametrize("text", SPECIAL)
def test_a_network_is_refused_from_its_first_address_to_its_last_and_no_further(text: str) -> None:
    network = IPv4Network(text)
    assert not is_public(str(network[0]))
    assert not is_public(str(network[-1]))
    around = {address for address in (int(network[0]) - 1, int(network[-1]) + 1) if 0 <= address < 2**32}
    for address in around:
        neighbour = IPv4Network(address)
        is_in_another = any(neighbour.subnet_of(other) for other in map(IPv4Network, SPECIAL))
        assert is_public(str(neighbour[0])) is not is_in_another


def test_no_address_that_python_calls_private_is_public() -> None:
    networks = [network for network in map(IPv4Network, SPECIAL) if not network[0].is_global]
    assert len(networks) > 10
    for first in range(0, 2**32, 2**16):
        address = IPv4Network(first)[0]
        assert address.is_global or not is_public(str(address))


@pytest.mark.parametrize(
    "address",
    [
        "169.254.169.254",  # metadata of instances
        "169.254.170.2",  # credentials of containers
        "127.0.0.1",
        "100.100.100.200",
        "255.255.255.255",
        "::1",
        "fd00:ec2::254",
        "fe80::1",
        "2600:1f18::1",  # public, but not reachable
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "2130706433",  # 127.0.0.1 as a number
        "127.1",
        "0177.0.0.1",
        "0x7f.0.0.1",
        " 8.8.8.8",
        "8.8.8.8%eth0",
        "localhost",
        "",
    ],
)
def test_these_are_refused(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "52.94.236.248", "172.15.255.255", "172.32.0.0", "223.255.255.255"])
def test_public_addresses_are_allowed(address: str) -> None:
    assert is_public(address)
