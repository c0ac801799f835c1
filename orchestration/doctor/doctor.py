"""The doctor: what is wrong with a handbook, and what of it can be put right."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...domain.errors import KisokuError, UnknownVersionError
from ...domain.manifest import ActivePointer
from ...domain.names import BUILTIN_VERSION, version_number
from ...ports.handbook_care import HandbookCare, HandbookSurvey
from ...ports.handbook_store import HandbookStore
from ...ports.session_store import SessionStore
from ..building.progress import ProgressCallback, no_progress
from ..building.tools import BuildTools
from .examination import Examination, examine_version
from .repair import repair_parts
from .report import DoctorReport, Finding, some


@dataclass(frozen=True, slots=True)
class HandbookDoctor:
    """Looks a handbook over and repairs it.

    Attributes:
        care: Its files, in whatever state they are.
        store: Its versions.
        tools: Plugins, models and settings.
        sessions: The session database.
    """

    care: HandbookCare
    store: HandbookStore
    tools: BuildTools
    sessions: SessionStore

    def examine(self, versions: Sequence[str] | None = None) -> DoctorReport:
        """Look at the whole handbook and at some versions; nothing is changed.

        Args:
            versions: Which versions to look at closely; None for the active one, or for all when none is active.

        Raises:
            UnknownVersionError: A version does not exist.
        """
        survey = self.care.survey()
        chosen = self._chosen(survey, versions)
        examined = [examine_version(version, self.care, self.store, self.tools) for version in chosen]
        return self._report(survey, examined)

    def repair(
        self, versions: Sequence[str] | None = None, *, on_progress: ProgressCallback = no_progress
    ) -> DoctorReport:
        """Look, then put right what can be: pointer, leftovers, and of each version vectors and indexes.

        What a person has to decide (a damaged manifest, lost chunks, another active version) is left and told.

        Raises:
            UnknownVersionError: A version does not exist.
            HandbookLockedError: Another process is writing.
            HandbookError: The disk takes no more.
        """
        before = self.examine(versions)
        done: set[Finding] = set()
        failed: dict[Finding, str] = {}
        survey = self.care.survey()
        chosen = self._chosen(survey, versions)
        if not survey.pointer and not survey.versions and not survey.leftovers:
            return before
        if survey.pointer_fault:
            with self.care.lock():
                restored = self._restore_pointer(self.care.survey())
            done |= {f for f in before.findings if f.check == "pointer" and restored}
            if not restored:
                return before
        # Taking the lock sweeps what dead writers left behind.
        with self.store.write_lock():
            done |= {f for f in before.findings if f.check == "leftovers"}
            for version in chosen:
                found = examine_version(version, self.care, self.store, self.tools)
                outcome = repair_parts(found, self.care, self.store, self.tools, on_progress)
                for finding in before.findings:
                    if finding.version == version and finding.check in outcome:
                        reason = outcome[finding.check]
                        if reason:
                            failed[finding] = reason
                        else:
                            done.add(finding)
        after = self.examine(chosen)
        repaired = [
            f.model_copy(update={"repair": "failed", "hint": failed[f]})
            if f in failed
            else f.model_copy(update={"repair": "done", "hint": ""})
            for f in before.findings
            if f in done or f in failed
        ]
        known = {(f.check, f.version, f.message) for f in repaired}
        left = [f for f in after.findings if (f.check, f.version, f.message) not in known]
        return DoctorReport(versions=after.versions, findings=(*repaired, *left))

    def _chosen(self, survey: HandbookSurvey, versions: Sequence[str] | None) -> list[str]:
        if versions is None:
            active = survey.pointer.version if survey.pointer else None
            return [active] if active in survey.versions and active is not None else list(survey.versions)
        for version in versions:
            if version not in survey.versions:
                names = ", ".join(survey.versions) or "none"
                raise UnknownVersionError(f"The handbook has no version {version}.", hint=f"Versions: {names}.")
        return sorted(set(versions), key=version_number)

    def all_versions(self) -> list[str]:
        """Return the names of all versions, oldest first, also with a lost pointer."""
        return list(self.care.survey().versions)

    def _restore_pointer(self, survey: HandbookSurvey) -> bool:
        """Point to the newest version whose manifest and chunks are whole; its other parts can be made again."""
        if not survey.pointer_fault:
            return True  # somebody else was quicker
        whole = [
            version
            for version in survey.versions
            if examine_version(version, self.care, self.store, self.tools).chunks_intact
        ]
        if not whole:
            return False
        last = max(map(version_number, survey.versions))
        if survey.pointer is not None:
            last = max(last, survey.pointer.last)
        previous = whole[-2] if len(whole) > 1 else None
        self.care.set_pointer(ActivePointer(version=whole[-1], previous=previous, last=last))
        return True

    def _report(self, survey: HandbookSurvey, examined: Sequence[Examination]) -> DoctorReport:
        findings = [*_of_handbook(survey), *(f for e in examined for f in e.findings)]
        looked_at = {e.version for e in examined}
        for version in survey.versions:
            if version not in looked_at:
                findings += _of_manifest(version, self.care)
        findings += self._of_sessions(survey)
        return DoctorReport(versions=tuple(e.version for e in examined), findings=tuple(findings))

    def _of_sessions(self, survey: HandbookSurvey) -> list[Finding]:
        try:
            findings = [
                Finding(check="sessions", message=f"The session database is damaged: {fault}.",
                        hint="Restore it from a copy; rules are served without it.")
                for fault in self.sessions.check()
            ]  # fmt: skip
            sessions = self.sessions.sessions()
        except KisokuError as error:
            return [Finding(check="sessions", message=error.message, hint=error.hint)]
        known = {*survey.versions, BUILTIN_VERSION}
        lost = [s for s in sessions if s.finished_at is None and s.version not in known]
        for version in sorted({s.version for s in lost}):
            names = [s.session_id for s in lost if s.version == version]
            findings.append(
                Finding(
                    check="sessions",
                    message=f"Open sessions are locked to {version}, which does not exist: {some(names)}.",
                    hint=f"Restore {version} from a copy, or finish these sessions and start new ones.",
                )
            )
        return findings


def _of_manifest(version: str, care: HandbookCare) -> list[Finding]:
    try:
        care.manifest(version)
    except KisokuError as error:
        return [Finding(check="manifest", version=version, message=error.message, hint=error.hint)]
    return []


def _of_handbook(survey: HandbookSurvey) -> list[Finding]:
    findings = []
    if survey.pointer_fault:
        findings.append(
            Finding(
                check="pointer",
                message=f"No version is active: {survey.pointer_fault}",
                repair="possible",
                hint="--repair makes the newest whole version active.",
            )
        )
    if survey.writer:
        findings.append(
            Finding(
                check="writer", severity="note", message=f"The handbook is being written by {survey.writer}.",
                hint="What is under construction is not looked at.",
            )
        )  # fmt: skip
    elif survey.leftovers:
        findings.append(
            Finding(
                check="leftovers",
                message=f"Left behind by a writer that died: {some(survey.leftovers)}.",
                repair="possible",
                hint="The next build sweeps it, and so does --repair.",
            )
        )
    if survey.foreign:
        findings.append(
            Finding(
                check="foreign",
                severity="note",
                message=f"Not made by kisoku, and left alone: {some(survey.foreign, 10)}.",
            )
        )
    return findings
