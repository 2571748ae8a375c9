"""Plugin of LocalStack: runs functions in Node processes and uses a running DynamoDB Local. Neither needs Docker."""

import json
import os
import subprocess
import sys
import tempfile
import threading
import uuid
from pathlib import Path

from localstack.runtime import hooks
from localstack.services.lambda_.invocation.executor_endpoint import StatusErrorException
from localstack.services.lambda_.invocation.lambda_models import FunctionVersion, InvocationResult
from localstack.services.lambda_.invocation.plugins import RuntimeExecutorPlugin
from localstack.services.lambda_.invocation.runtime_executor import RuntimeExecutor

if sys.version_info < (3, 13):
    # LocalStack uses the type `Lock | None`, for which Lock must be a class, and makes UUIDs from bytes.
    new_lock, uuid5 = threading.Lock, uuid.uuid5
    threading.Lock = type("Lock", (), {"__new__": lambda _: new_lock()})
    uuid.uuid5 = lambda namespace, name: uuid5(namespace, name if isinstance(name, str) else name.hex())

NODE_RUNTIME = str(Path(__file__).with_name("node-runtime.ts"))


@hooks.on_infra_start()
def adapt() -> None:
    from localstack.config import LAMBDA_LIMITS_CONCURRENT_EXECUTIONS
    from localstack.services.dynamodb.server import DynamodbServer
    from localstack.services.lambda_.invocation.execution_environment import ExecutionEnvironment
    from localstack.services.lambda_.invocation.version_manager import LambdaVersionManager
    from localstack.utils.threads import start_thread

    # DynamoDB Local already listens on DYNAMODB_LOCAL_PORT. LocalStack would download and start another one.
    DynamodbServer.do_start_thread = lambda _: start_thread(lambda _: threading.Event().wait())
    # LocalStack stores a function's log group, but writes to /aws/lambda/NAME.
    ExecutionEnvironment.get_log_group_name = lambda self: self.function_version.config.logging_config["LogGroup"]
    # Let an invocation beyond the limit wait. LocalStack would throttle it, and its API Gateway would report a crash.
    invoke, free = LambdaVersionManager.invoke, threading.Semaphore(LAMBDA_LIMITS_CONCURRENT_EXECUTIONS)

    def invoke_when_free(self, *args, **kwargs):
        with free:
            return invoke(self, *args, **kwargs)

    LambdaVersionManager.invoke = invoke_when_free


def failure(kind: str, message: str) -> bytes:
    return json.dumps({"errorType": kind, "errorMessage": message}).encode()


class NodeExecutor(RuntimeExecutor):
    """Runs the invocations of one execution environment, one after the other, in a Node process."""

    def __init__(self, id: str, function_version: FunctionVersion) -> None:
        super().__init__(id, function_version)
        self.process: subprocess.Popen | None = None
        self.output = tempfile.TemporaryFile()
        self.logged = 0

    def start(self, env_vars: dict[str, str]) -> None:
        code = str(self.function_version.config.code.get_unzipped_code_location())
        variables = {name: str(value) for name, value in env_vars.items()}
        self.env = {**variables, "PATH": os.environ["PATH"], "LAMBDA_TASK_ROOT": code}
        self.start_process()

    def start_process(self) -> None:
        read_end, write_end = os.pipe()
        self.process = subprocess.Popen(
            ["node", NODE_RUNTIME, str(write_end)],
            env=self.env,
            stdin=subprocess.PIPE,
            stdout=self.output,
            stderr=self.output,
            pass_fds=[write_end],
        )
        os.close(write_end)
        self.replies = open(read_end, "rb")
        if self.replies.readline() != b"ready\n":
            self.stop()
            raise StatusErrorException("The function did not start", failure("Runtime.ExitError", self.get_logs()))

    def stop(self) -> None:
        process, self.process = self.process, None
        if process:
            process.kill()
            process.wait()

    def invoke(self, payload: dict[str, str]) -> InvocationResult:
        id, timeout = payload["invoke-id"], self.function_version.config.timeout
        timed_out = threading.Event()
        timer = threading.Timer(timeout, lambda: (timed_out.set(), self.process and self.process.kill()))
        timer.start()
        try:
            if not self.process or self.process.poll() is not None:
                self.start_process()
            self.process.stdin.write(json.dumps({**payload, "timeout": timeout}).encode() + b"\n")
            self.process.stdin.flush()
            reply = self.replies.readline()
        except BrokenPipeError:
            reply = b""
        finally:
            timer.cancel()
        # LocalStack expects logs of every invocation. AWS ends them with this line.
        logs = f"{self.get_logs()}END RequestId: {id}\n"
        if reply.endswith(b"\n"):
            status, answer = reply[:-1].split(b" ", 1)
            return InvocationResult(id, answer, status == b"error", logs)
        self.stop()
        if timed_out.is_set():
            answer = failure("Sandbox.Timedout", f"RequestId: {id} Error: Task timed out after {timeout:.2f} seconds")
        else:
            answer = failure("Runtime.ExitError", f"RequestId: {id} Error: Runtime exited without an answer")
        return InvocationResult(id, answer, True, logs)

    def get_logs(self) -> str:
        """Returns what the process printed since the last call."""
        text = os.pread(self.output.fileno(), 1 << 24, self.logged)
        self.logged += len(text)
        return text.decode(errors="replace")

    def get_address(self) -> str:
        return "127.0.0.1"

    get_endpoint_from_executor = get_address

    def get_runtime_endpoint(self) -> str:
        return ""

    @classmethod
    def prepare_version(cls, function_version: FunctionVersion) -> None:
        function_version.config.code.prepare_for_execution()

    @classmethod
    def cleanup_version(cls, function_version: FunctionVersion) -> None:
        pass


class NodeExecutorPlugin(RuntimeExecutorPlugin):
    name = "node"

    def load(self, *_args, **_kwargs) -> type[NodeExecutor]:
        return NodeExecutor
