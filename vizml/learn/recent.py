"""A cache that does not keep its arguments alive: of models that are gone it keeps nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import TypeVar, TypeVarTuple
from weakref import WeakKeyDictionary

Owner = TypeVar("Owner")
Key = TypeVarTuple("Key")
Result = TypeVar("Result")


def keep_recent(
    most: int,
) -> Callable[[Callable[[Owner, *Key], Result]], Callable[[Owner, *Key], Result]]:
    """Keep the latest results of a function, each as long as its first argument exists.

    They must not refer to that argument. `functools.lru_cache` would keep it, and the data that it was
    computed from.
    """

    def decorated(function: Callable[[Owner, *Key], Result]) -> Callable[[Owner, *Key], Result]:
        kept: WeakKeyDictionary[Owner, dict[tuple[object, ...], Result]] = WeakKeyDictionary()
        lock = Lock()

        @wraps(function)
        def cached(owner: Owner, *key: *Key) -> Result:
            with lock:
                found = kept.get(owner, {}).get(key)
            if found is None:
                found = function(owner, *key)
            with lock:
                own = kept.pop(owner, {})
                own.pop(key, None)
                kept[owner], own[key] = own, found  # the latest come last
                while sum(map(len, kept.values())) > most:
                    oldest = next(results for results in kept.values() if results)
                    del oldest[next(iter(oldest))]
            return found

        return cached

    return decorated
