// Who tests a client imports this module alone.
@_exported public import MitmProxy
@_exported public import Scenarios
@_exported public import TLSCore
@_exported public import Witness
