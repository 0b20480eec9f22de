"""The search for all components: the largest first. Found copies stay; missing ones are tried again beside them."""

from dataclasses import dataclass, replace
from typing import Any
from collections.abc import Callable, Iterator, Sequence

from open_phenix.mr.components import Component
from open_phenix.mr.placement import MAXIMUM_CLASH, MINIMUM_TFZ, Placed, Placement
from open_phenix.mr.rotation import Orientation, RotationFunction

CLEAR_TFZ = 8.0  # Phaser's own word for "definitely"; other space groups need not be tried
TRIED = 3  # candidates that get a rigid body before a copy counts as not found
KEPT = 3  # first copies that do not stand out and are kept while a second one is searched, unless even Phaser says of them "no":
LEAST_TFZ = 5.0
DataIn = Callable[[Any], "tuple[Any, Any]"]


@dataclass
class Found:
    """A component and its copies in the model."""

    component: Component
    copies: list[Placed]

    @property
    def wanted(self) -> int:
        """Copies asked for."""
        return self.component.copies

    @property
    def tfz(self) -> float:
        """That of the least certain copy; 0 without any, or where it was fixed."""
        return min((copy.tfz_final for copy in self.copies), default=0.0)


class Search:
    """Places component after component; the first one decides on the space group."""

    def __init__(self, components: Sequence[Component], groups: Sequence[Any], data_in: DataIn):
        """`groups`: the data's space group and then the others to try; `data_in` gives amplitudes (search, rigid body) in one."""
        self.found = [Found(component, []) for component in components]
        self.queue = sorted((found for found in self.found if not found.component.fixed), key=lambda f: f.component.rank)
        self.groups, self.data_in = list(groups), data_in
        self.tried: dict[str, float] = {}
        self.last_tfz = 0.0
        self._orientations: dict[int, list[Orientation]] = {}
        fixed = [_as_it_stands(found) for found in self.found if found.component.fixed]
        self.placement = Placement(*data_in(self.groups[0]), fixed)
        self.group = self.groups[0]
        self.decided = len(self.groups) == 1

    def run(self) -> None:
        """Search until nothing more is found. After each copy the largest missing component is tried first again."""
        while any(self._place(found) for found in self.queue if len(found.copies) < found.wanted):
            pass
        if len(self.placement.placed) > 1:
            self._judge_together()

    def _judge_together(self) -> None:
        """The first copies were found with little else known: their Z is computed again beside all that came later."""
        print("\nEach copy beside all others:", flush=True)
        for found in self.queue:
            for number, copy in enumerate(found.copies):
                index = next(i for i, placed in enumerate(self.placement.placed) if placed is copy)
                tfz = self.placement.beside_the_others(index)
                print(f"  copy {number + 1} of {found.component.name}: translation Z {tfz:.1f}, when it was found "
                      f"{copy.tfz_final:.1f}", flush=True)
                better = replace(copy, tfz_final=max(tfz, copy.tfz_final))
                found.copies[number] = self.placement.placed[index] = better

    def _place(self, found: Found) -> bool:
        """Search one copy; True if it was found (then it is among the placed)."""
        copy = f"Copy {len(found.copies) + 1} of {found.component.name}"
        best = self._over_groups(found, copy) if not self.decided else self._best(self.placement, found, copy)
        if best is None:
            return False
        self.placement.placed.append(best)
        found.copies.append(best)
        return True

    def _over_groups(self, found: Found, copy: str) -> Placed | None:
        """The copy in each space group; the best solution decides on the group."""
        results: list[tuple[Placed, Any, Placement]] = []
        for group in self.groups:
            placement = Placement(*self.data_in(group), self.placement.placed)
            print(f"\nSpace group {group}:", flush=True)
            best = self._best(placement, found, copy)
            tfz = max(self.tried.get(str(group), 0.0), self.last_tfz)
            self.tried[str(group)] = tfz
            if best is not None:
                results.append((best, group, placement))
                if group is self.groups[0] and best.tfz_final >= CLEAR_TFZ and len(self.groups) > 1:
                    print(f"  TFZ of {best.tfz_final:.1f} is clear: the other space groups are not tried")
                    break
        if not results:
            return None
        best, self.group, self.placement = max(results, key=lambda result: result[0].tfz_final)
        self.decided = True
        return best

    def _best(self, placement: Placement, found: Found, copy: str) -> Placed | None:
        """The best candidate that meets the criterion, after its rigid body: in the difference map first, where anything is placed."""
        self.last_tfz = 0.0
        before = placement.gain()
        unlikely: list[Placed] = []
        for orientations in self._orientations_for(found, placement, copy):
            best, others = self._tried(placement, found, orientations, before)
            if best is not None:
                return best
            unlikely += others
        if not placement.placed and (best := self._first_of_several(placement, found, unlikely)) is not None:
            return best
        print(f"  {copy} not found: needs Z of at least {MINIMUM_TFZ:g}, at most {100 * MAXIMUM_CLASH:.0f} % clashes "
              f"and an LLG above {max(before, 0):.0f}")
        return None

    def _orientations_for(self, found: Found, placement: Placement, copy: str) -> Iterator[list[Orientation]]:
        """Candidates from the difference map of the placed copies, which shows the rest best without a rotation function."""
        if placement.placed:
            print(f"\n{copy}: all rotations in the difference map of what is placed ...", flush=True)
            spots = placement.beside(found.component.model)
            print("  best peaks over the map's sigma: " + ", ".join(f"{spot.z:.1f}" for spot in spots[:6]), flush=True)
            yield spots
        orientations = self._oriented(found, placement)
        print(f"\n{copy}: translation function for {len(orientations)} orientations ...", flush=True)
        yield orientations

    def _tried(
        self, placement: Placement, found: Found, orientations: Sequence[Orientation], before: float
    ) -> tuple[Placed | None, list[Placed]]:
        """The candidate that meets the criterion, and the refined ones that do not."""
        candidates = placement.candidates(found.component.model, orientations, _report(len(orientations)))
        for candidate in candidates[:4]:
            oriented = f"{'map peak' if candidate.in_map else 'rotation Z'} {candidate.rfz:.1f}"
            print(f"  LLG {candidate.llg:.0f}  CC {candidate.cc:.3f}  translation Z {candidate.tfz:.1f}  {oriented}"
                  f"  clashes {100 * candidate.clash:.0f} %")
        others = []
        for candidate in candidates[:TRIED]:
            if candidate.clash > MAXIMUM_CLASH or candidate.llg <= before:
                continue
            refined = placement.refined(candidate)
            print(f"  rigid body: LLG {refined.llg:.0f}, CC at {placement.fine.observed.d_min():.1f} A {refined.cc:.3f}, translation Z "
                  f"{refined.tfz_final:.1f}, clashes {100 * refined.clash:.0f} %", flush=True)
            self.last_tfz = max(self.last_tfz, refined.tfz_final)
            if refined.tfz_final >= MINIMUM_TFZ and refined.clash <= MAXIMUM_CLASH:
                return refined, others
            others.append(refined)
        return None, others

    def _first_of_several(self, placement: Placement, found: Found, unlikely: Sequence[Placed]) -> Placed | None:
        """A first copy that is not clear by itself, if the next one is clear beside it.

        One of many copies explains too little to be clear. Each of the best few is kept while a second copy is searched in its
        difference map; where each of the two is clear beside the other, the first one stands.
        """
        second = found if found.wanted > 1 else next((other for other in self.queue if other is not found), None)
        if second is None:
            return None
        alone = self.last_tfz
        for number, first in enumerate([one for one in unlikely if one.tfz_final >= LEAST_TFZ][:KEPT]):
            beside = placement.sibling([first])
            print(f"\nCandidate {number + 1} kept (LLG {first.llg:.0f}, Z {first.tfz_final:.1f}), a second copy is searched beside it:")
            best, _others = self._tried(beside, second, beside.beside(second.component.model), first.llg)
            self.last_tfz = alone
            if best is None:
                continue
            together = placement.sibling([first, best]).beside_the_others(0)
            print(f"  beside it the first one has Z {together:.1f}")
            if min(together, best.tfz_final) >= CLEAR_TFZ:
                self.last_tfz = together
                return replace(first, tfz_final=together)
        return None

    def _oriented(self, found: Found, placement: Placement) -> list[Orientation]:
        """The orientations of a component, computed once, because the rotation function depends only on the point group."""
        key = self.queue.index(found)
        if key not in self._orientations:
            print(f"Rotation function of {found.component.name} ...", flush=True)
            self._orientations[key] = RotationFunction(placement.search.observed, found.component.model).best()
            print("  best Z: " + ", ".join(f"{orientation.z:.1f}" for orientation in self._orientations[key][:6]), flush=True)
        return self._orientations[key]


def _as_it_stands(found: Found) -> Placed:
    """Place a fixed component as it is in its file."""
    model = found.component.model
    copy = replace(Placed(model, model.as_given), fixed=True)
    found.copies.append(copy)
    return copy


def _report(total: int) -> Callable[[int], None]:
    def report(done: int) -> None:
        if done % 10 == 0:
            print(f"  {done} of {total} done", flush=True)

    return report
