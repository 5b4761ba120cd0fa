from veer.model.errors import UsageError as UsageError
from veer.model.errors import VeerError as VeerError
from veer.model.result import Result as Result
from veer.python.api import Options as Options
from veer.python.api import export as export
from veer.python.api import read as read
from veer.python.api import test as test
from veer.python.pytest_plugin import case as case

__version__: str
