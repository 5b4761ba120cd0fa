"""Type arguments: what they stand for, and that types which lead to ever longer ones are few."""

from __future__ import annotations

from veer.frontends.java.shapes.generics import Generic, environment, of_signature

CHAIN = "<T:Ljava/lang/Object;>Ljava/lang/Object;"
INTEGER = Generic("java/lang/Integer")


def _types(field: str, owner: str, given: Generic, most: int = 100) -> list[str]:
    """The types of a field of the object of a field of ..."""
    found = [given]
    while len(found) < most:
        known = environment(CHAIN, found[-1].given)
        found.append(of_signature(field, f"L{owner};", known))
        if found[-1] in found[:-1]:
            break
    return [each.key for each in found]


def test_arguments_are_put_in() -> None:
    known = environment(CHAIN, (INTEGER,))
    lists = of_signature("Ljava/util/List<Ljava/util/List<TT;>;>;", "Ljava/util/List;", known)
    assert lists.key == "java/util/List<java/util/List<java/lang/Integer>>"
    assert of_signature("[TT;", "[Ljava/lang/Object;", known).key == "[<java/lang/Integer>"


def test_a_class_that_names_itself_with_longer_arguments_has_few_types() -> None:
    for field in ("LChain<Ljava/util/List<TT;>;>;", "LChain<LBox<TT;>;>;", "LChain<Ljava/util/Map<TT;LBox<TT;>;>;>;"):
        found = _types(field, "Chain", Generic("Chain", (INTEGER,)))
        assert len(found) < 10, found
        assert max(map(len, found)) < 200


def test_a_class_within_itself_has_no_arguments() -> None:
    known = environment(CHAIN, (Generic("Box", (INTEGER,)),))
    assert of_signature("LBox<TT;>;", "LBox;", known).key == "Box<Box>"
