"""`kisoku plugins`."""

from .options import Json, Lang


def plugins(lang: Lang = None, json: Json = False) -> None:
    """List installed plugins: from which distribution, what they provide and hear, what failed and why."""
    from ...plugins.manager import shared_manager
    from .messages import choose_language, localised, tr
    from .output import cell, console, print_json, table, warn

    choose_language(lang)

    manager = shared_manager()
    # Making the chunkers shows which of them cannot be made, or claim extensions that others read.
    manager.chunkers()
    found = manager.plugins()
    if json:
        print_json(
            [
                {
                    "name": p.name,
                    "distribution": p.distribution,
                    "version": p.version,
                    "provides": {hook: list(names) for hook, names in p.provides.items()},
                    "lifecycle": list(p.lifecycle),
                    "failures": [{"hook": f.hook, "cause": f.cause} for f in p.failures],
                }
                for p in found
            ]
        )
        return
    rows = table("", "plugin", "distribution", "provides")
    for p in found:
        provides = [f"{hook.removeprefix('kisoku_')}: {', '.join(names)}" for hook, names in p.provides.items()]
        if p.lifecycle:
            heard = ", ".join(hook.removeprefix("kisoku_") for hook in p.lifecycle)
            provides.append(tr("hears: {hooks}", hooks=heard))
        rows.add_row(cell(p.name), cell(f"{p.distribution} {p.version}"), cell("\n".join(provides) or tr("nothing")))
    console().print(rows)
    for p in found:
        for failure in p.failures:
            source, where = f"{p.name} ({p.distribution} {p.version})", failure.hook or "import"
            warn(tr("plugin {name}: {where}: {cause}", name=source, where=where, cause=localised(failure.cause)))
