"""Whether the client's picker of workspace symbols asks this server."""

from typing import Protocol

from attrs import define
from lsprotocol import types

_ID = "notekin-workspace-symbols"


class Registrar(Protocol):
    """The part of the server that asks a client to use something, or to stop it."""

    def client_register_capability(self, params: types.RegistrationParams, /) -> object: ...
    def client_unregister_capability(self, params: types.UnregistrationParams, /) -> object: ...


@define
class SymbolsOffer:
    """`is_fixed`: announced by the answer to `initialize`, which cannot be taken back; the server
    then answers with nothing while symbols are not wanted. `is_dynamic`: the client can be asked
    at any time.
    """

    _registrar: Registrar
    is_fixed: bool = False
    is_dynamic: bool = False
    _is_registered: bool = False

    def update(self, *, wanted: bool) -> None:
        """Offer symbols from now on, or no longer."""
        if self.is_fixed or not self.is_dynamic or wanted == self._is_registered:
            return
        self._is_registered = wanted
        method = types.WORKSPACE_SYMBOL
        if wanted:
            registration = types.Registration(
                _ID, method, types.WorkspaceSymbolRegistrationOptions()
            )
            self._registrar.client_register_capability(types.RegistrationParams([registration]))
        else:
            unregistration = types.Unregistration(_ID, method)
            self._registrar.client_unregister_capability(
                types.UnregistrationParams([unregistration])
            )
