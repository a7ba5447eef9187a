"""Decides which addresses a webhook may be sent to: public IPv4 addresses only.

A host's name can lead to any address, and its owner can change that at any time. So the address itself is checked, just
before connecting to it.
"""

from ipaddress import AddressValueError, IPv4Address, IPv4Network

#: Networks that are not public, according to IANA's special-purpose registry.
REFUSED = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",  # private
            "100.64.0.0/10",  # shared by a carrier's customers; AWS also uses it inside VPCs
            "127.0.0.0/8",  # this machine: Lambda's own API is here
            "169.254.0.0/16",  # link-local: metadata and credentials of instances, containers and functions
            "172.16.0.0/12",  # private
            "192.0.0.0/24",  # protocol assignments
            "192.0.2.0/24",  # documentation
            "192.31.196.0/24",  # AS112
            "192.52.193.0/24",  # AMT
            "192.88.99.0/24",  # relays from IPv6
            "192.168.0.0/16",  # private
            "192.175.48.0/24",  # AS112
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, and broadcast
        ),
    )
)


def is_public(address: str) -> bool:
    """Returns whether this is a public IPv4 address. IPv6 addresses are refused: the functions cannot reach them."""
    try:
        parsed = IPv4Address(address)
    except AddressValueError:
        return False
    return not any(parsed in network for network in REFUSED)
