"""A loopback HTTPS server with a certificate that it signed itself."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

_BODY = b"<title>Secret</title>"
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n"


@contextmanager
def tls_server(folder: Path) -> Iterator[str]:
    """Serve one page and give its address; skips the test where no certificate can be made."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(_certificate(folder))
    listener = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=_serve, args=(listener, context))
    thread.start()
    try:
        yield f"https://127.0.0.1:{listener.getsockname()[1]}/"
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(10)


def _serve(listener: socket.socket, context: ssl.SSLContext) -> None:
    while True:
        try:
            plain, _ = listener.accept()
        except OSError:
            return
        plain.settimeout(10)
        try:
            with context.wrap_socket(plain, server_side=True) as stream:
                stream.recv(65_536)
                stream.sendall(_HEAD + b"Content-Length: %d\r\n\r\n" % len(_BODY) + _BODY)
        except OSError:
            plain.close()  # the browser hung up at the handshake


def _certificate(folder: Path) -> Path:
    pytest.importorskip("cryptography")
    from cryptography import x509  # noqa: PLC0415
    from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415
    from cryptography.x509.oid import NameOID  # noqa: PLC0415

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    pem = folder / "server.pem"
    encoding, private = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    pem.write_bytes(
        key.private_bytes(encoding, private, serialization.NoEncryption())
        + made.public_bytes(encoding)
    )
    return pem
