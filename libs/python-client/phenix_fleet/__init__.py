"""Client of phenix-fleet: submit datasets, follow them, and fetch the results."""

from .async_fleet import AsyncFleet
from .errors import ApiError, FleetError, GatewayUnreachable, NotAGateway, Refusal
from .fleet import Fleet

__version__ = "0.1.0"

__all__ = ["ApiError", "AsyncFleet", "Fleet", "FleetError", "GatewayUnreachable", "NotAGateway", "Refusal"]
