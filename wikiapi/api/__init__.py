"""The Action API core: parameters, page sets, continuation, results."""
