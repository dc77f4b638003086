/// The Python programs of the area `kinto`.
enum KintoScripts {
  /// A node: the database's address, the user, the password, and whether to set up the database. It
  /// prints its port.
  static let node = """
    import json, sys, warnings
    warnings.simplefilter("ignore")
    from kinto import main
    from kinto.core import scripts
    from waitress.server import create_server
    from webob import Request
    url, user, password, migrates = sys.argv[1:]
    settings = {
        "kinto.includes": "kinto.plugins.accounts", "multiauth.policies": "account",
        "multiauth.policy.account.use": "kinto.plugins.accounts.AccountsPolicy",
        "kinto.account_create_principals": "system.Everyone",
        "kinto.bucket_create_principals": "system.Authenticated",
        "kinto.userid_hmac_secret": "bench",
    }
    for part in ["storage", "permission", "cache"]:
        settings[f"kinto.{part}_backend"] = f"kinto.core.{part}.postgresql"
        settings[f"kinto.{part}_url"] = url
    app = main({}, **settings)
    if migrates:
        scripts.migrate({"registry": app.registry})
        account = Request.blank("/v1/accounts/" + user, method="PUT")
        account.content_type = "application/json"
        account.body = json.dumps({"data": {"password": password}}).encode()
        account.get_response(app)
    server = create_server(app, host="127.0.0.1", port=0, threads=8)
    print(server.effective_port, flush=True)
    server.run()
    """

  /// Passes the bytes of each connection to the next of the ports. It prints its own.
  static let front = """
    import itertools, socket, sys, threading

    def pipe(source, sink):
        try:
            while data := source.recv(1 << 18):
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    for port in itertools.cycle(int(word) for word in sys.argv[1:]):
        near, _ = listener.accept()
        far = socket.create_connection(("127.0.0.1", port))
        for end in (near, far):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for pair in ((near, far), (far, near)):
            threading.Thread(target=pipe, args=pair, daemon=True).start()
    """

  /// What a sync does, done by kinto-http: the address, the user, the password, the bucket, what to do,
  /// a file with the records of each collection, next to which a push leaves what it has to know later, and
  /// a new folder for the files of a pull.
  ///
  /// `pull` does the least that a sync must do so that a crash neither loses a record nor leaves half a
  /// file: it writes each record and what is known of it under temporary names, flushes all at once, and
  /// renames. `pull-unflushed` only writes each record.
  static let client = """
    import json, os, sys
    from kinto_http import Client
    url, user, password, bucket, what, path, folder = sys.argv[1:]
    client = Client(server_url=url, auth=(user, password), bucket=bucket)
    if what == "push":
        with open(path) as file:
            records = json.load(file)
        client.create_bucket(if_not_exists=True)
        known = {"newest": {}, "edits": [record["id"] for record in records["stories"][:10]]}
        for kind in records:
            client.create_collection(id=kind, if_not_exists=True)
            with client.batch(collection=kind) as batch:
                for record in records[kind]:
                    batch.create_record(data=record)
            known["newest"][kind] = client.get_records_timestamp(collection=kind)
        with open(path + ".known", "w") as file:
            json.dump(known, file)
        sys.exit()
    with open(path + ".known") as file:
        known = json.load(file)
    if what.startswith("pull"):
        end = ".tmp" if what == "pull" else ""
        paths, revisions = [], {}
        for kind in known["newest"]:
            os.makedirs(f"{folder}/{kind}")
            for record in client.get_records(collection=kind):
                paths.append(f"{folder}/{kind}/{record['id']}.json")
                revisions[record["id"]] = record["last_modified"]
                with open(paths[-1] + end, "w") as file:
                    json.dump(record, file, indent=2, ensure_ascii=False)
        paths.append(f"{folder}/revisions.json")
        with open(paths[-1] + end, "w") as file:
            json.dump(revisions, file)
        if what == "pull":
            os.sync()
            for path in paths:
                os.rename(path + end, path)
            for place in {os.path.dirname(path) for path in paths}:
                opened = os.open(place, os.O_RDONLY)
                os.fsync(opened)
                os.close(opened)
        sys.exit()
    for kind, newest in known["newest"].items():
        client.get_records(collection=kind, _since=f'"{newest}"')
    if what == "edits":
        with client.batch(collection="stories") as batch:
            for id in known["edits"]:
                batch.patch_record(id=id, data={"title": "Edited"})
    """
}
