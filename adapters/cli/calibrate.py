"""`kisoku eval calibrate`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .messages import tr
from .options import Config, Json, Lang, Profile, Set

if TYPE_CHECKING:
    from ...orchestration.evaluation.calibration import Calibration

_CURVE = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def calibrate(  # typer's way: one parameter an option
    queries: Annotated[
        list[Path], typer.Option("--queries", help="JSON lines with gold; empty gold: not answered. Repeatable.")
    ],
    docs: Annotated[Path | None, typer.Option("--docs", help="Folder of documents, as for kisoku build.")] = None,
    root: Annotated[
        Path | None, typer.Option("--root", help="Search the handbook of this folder instead of building one.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Profile to write, for the setting gates.profile.")] = None,
    share: Annotated[
        float,
        typer.Option("--unanswerable", min=0.01, max=0.9, help="Share of questions without an answer to expect."),
    ] = 0.12,
    most_false: Annotated[
        float, typer.Option("--most-false", min=0.0, max=1.0, help="Answerable questions that may be refused, 0 to 1.")
    ] = 0.04,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Fit the gate that refuses unanswerable questions to a labelled set, for the embedding model that is set."""
    from ...orchestration.bootstrap import Kisoku
    from ...orchestration.evaluation.calibration import calibrate as fit_gate
    from ...orchestration.evaluation.calibration import (
        cascade_cosines,
        measured_queries,
        note_of,
        profile_yaml,
        without_gate,
    )
    from ...orchestration.evaluation.labels import LabelledQuery
    from ...orchestration.evaluation.lines import read_lines
    from .evaluate import require_writable
    from .evaluation_handbook import SettingOptions, evaluated_handbook
    from .output import console, print_json
    from .progress import steps

    labelled = [query for path in queries for query in read_lines(path, LabelledQuery)]
    if out is not None:
        require_writable(out)
    with evaluated_handbook(docs, root, SettingOptions(config, profile, set_, lang), quiet=json) as handbook:
        kisoku = handbook.app
        with Kisoku(without_gate(kisoku.settings), plugins=kisoku.plugins, models=kisoku.models) as open_gate:
            version = open_gate.versions.get(handbook.manifest.version)
            with steps("measuring") as bar:
                rows = list(
                    measured_queries(version, open_gate.engine, labelled, lambda done: bar(done, len(labelled)))
                )
            cosines = cascade_cosines(version, open_gate.settings, open_gate.language, labelled)
        model = handbook.manifest.embedding.model
        note = note_of([path.name for path in queries], rows, kisoku.clock())
        found = fit_gate(rows, model, share=share, most_false=most_false, note=note, cosines=cosines)
    text = profile_yaml(found.profile)
    if out is not None:
        out.write_text(text, encoding="utf-8")
    if json:
        print_json(_as_json(found) | {"out": str(out) if out else None})
        return
    _print(found)
    if out is None:
        console().print(text)
    else:
        told = tr("Profile: {path}. Use it with --set gates.profile={path} or in your settings file.", path=out)
        console().print(told, soft_wrap=True)


def _as_json(found: "Calibration") -> dict[str, object]:
    from dataclasses import asdict

    return {
        "profile": found.profile.model_dump(mode="json"),
        "answerable": found.answerable,
        "unanswerable": found.unanswerable,
        "variants": [asdict(variant) for variant in found.variants],
        "cascade": {"retrieval.cascade.vector_least": found.cascade_cosine},
    }


def _print(found: "Calibration") -> None:
    from .output import console, table

    said = tr(
        "{good} answerable and {bad} unanswerable queries for {model}; figures are of queries that were held out.",
        good=found.answerable,
        bad=found.unanswerable,
        model=found.profile.model,
    )
    console().print(said, soft_wrap=True)
    for variant, model in zip(found.variants, found.profile.models, strict=True):
        rows = table(
            tr("by {names}: ROC area {area:.3f}", names=", ".join(variant.measurements), area=variant.roc_area),
            "",
            "precision#",
            "recall#",
            "refused wrongly#",
            "threshold#",
        )
        chosen = variant.chosen
        rows.add_row(
            tr("chosen"),
            f"{chosen.precision:.2f}",
            f"{chosen.recall:.2f}",
            f"{chosen.false_refusals:.1%}",
            f"{chosen.threshold:.3f}",
        )
        for least in _CURVE:
            point = next((p for p in variant.curve if p.recall >= least), None)
            if point is not None:
                rows.add_row(
                    tr("recall {least}", least=least),
                    f"{point.precision:.2f}",
                    f"{point.recall:.2f}",
                    f"{point.false_refusals:.1%}",
                    f"{point.threshold:.3f}",
                )
        console().print(rows)
        weights = ", ".join(f"{name} {weight.weight:+.2f}" for name, weight in model.weights.items())
        console().print(tr("weights: {weights}", weights=weights), soft_wrap=True)
    if found.cascade_cosine is not None:
        said = tr(
            "cascade: 98 of 100 answerable queries have a best cosine of {cosine:.3f} or more"
            " (retrieval.cascade.vector_least).",
            cosine=found.cascade_cosine,
        )
        console().print(said, soft_wrap=True)
