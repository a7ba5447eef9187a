"""`sagequeue sweep`: runs an Optuna study, each trial as a queued job."""

import sys

import boto3
import click

from sagequeue.cli.console import echo
from sagequeue.cli.progress import INTERRUPTED
from sagequeue.sweeps.study_file import StudyFile, read_study
from sagequeue.sweeps.sweep import Sweep

_NEEDS_OPTUNA = "`sagequeue sweep` needs the package optuna. Install it: pip install 'sagequeue[optuna]'"


@click.command()
@click.argument("file", metavar="FILE", type=click.Path())
def sweep(file: str) -> None:
    """Run the Optuna study in FILE. Each trial is a queued job, and the objective's value is read from the job's log.
    The study's storage keeps all trials. Run the same command again to continue a study that was interrupted.
    """
    study = read_study(file)
    try:
        _run(study)
    except KeyboardInterrupt:
        echo(f"\nThe jobs of {study.name} stay in the queue. Resume: `sagequeue sweep {file}`.", err=True)
        sys.exit(INTERRUPTED)


COMMANDS = (sweep,)


def _run(file: StudyFile) -> None:
    try:
        import optuna  # optional
    except ModuleNotFoundError as error:
        raise click.ClickException(_NEEDS_OPTUNA) from error
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(
        study_name=file.name,
        storage=file.storage,
        direction=file.direction,
        pruner=optuna.pruners.MedianPruner() if file.prune else optuna.pruners.NopPruner(),
        load_if_exists=True,
    )
    session = boto3.Session()
    Sweep(
        study,
        file.request_of,
        file.objective,
        trials=file.trials,
        parallel=file.parallel,
        options=file.options,
        session=session,
        report=echo,
    ).run()
    if any(trial.state is optuna.trial.TrialState.COMPLETE for trial in study.get_trials(deepcopy=False)):
        best = study.best_trial
        echo(f"best: {best.user_attrs['job']} with {best.params}: {best.value:g}")
