from veer.api import Options as Options
from veer.api import export as export
from veer.api import read as read
from veer.api import test as test
from veer.model.errors import UsageError as UsageError
from veer.model.errors import VeerError as VeerError
from veer.model.result import Result as Result
from veer.pytest_plugin import case as case

__version__: str
