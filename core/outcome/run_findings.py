"""All that speaks against the figures of a run, for everyone who tells it: summary, report and studio."""

from __future__ import annotations

from ..base.finding import Finding
from ..project.project import Project
from ..results.results import Results
from .loose_limbs import loose_limbs
from .run_check import check_run, structure_findings
from .trains import coupling_findings


def findings_of(results: Results, project: Project) -> tuple[Finding, ...]:
    """What speaks against the figures of a run, and what it asks too much of.

    Parameters
    ----------
    results
        What came out.
    project
        What was run.

    Returns
    -------
    The findings; notes among them are what does not make a figure doubtful.
    """
    own = check_run(results, project.settings)
    return (
        *own,
        *coupling_findings(project, results),
        *loose_limbs(project, results),
        *structure_findings(project),
    )
