// A ClickHouse server for tests: the engine of the npm package chdb behind ClickHouse's HTTP interface, on loopback.
//
//	npm install chdb@3.4.0 && NODE_PATH=node_modules node bridge.cjs FOLDER
//
// It prints its port and ends when standard input closes.
const http = require("http");
const { Session } = require("chdb");

const session = new Session(process.argv[2]);
const password = process.argv[3] || "";
process.stdin.on("end", () => process.exit(0)).resume();

// The server reads a parameter as a field of tab-separated values.
const escapes = { t: "\t", n: "\n", r: "\r", 0: "\0" };
const unescape = (value) => value.replace(/\\(.)/g, (_, c) => escapes[c] ?? c);

const server = http.createServer((req, res) => {
  let body = "";
  req.on("data", (part) => (body += part));
  req.on("end", async () => {
    const url = new URL(req.url, "http://localhost");
    if (password && req.headers["x-clickhouse-key"] !== password) {
      res.writeHead(403);
      return res.end("Code: 516. DB::Exception: default: Authentication failed");
    }
    const params = {};
    const settings = [];
    for (const [key, value] of url.searchParams) {
      if (key.startsWith("param_")) params[key.slice(6)] = unescape(value);
      else if (!["database", "default_format", "query", "readonly", "cancel_http_readonly_queries_on_client_close"].includes(key)) settings.push(`${key} = '${value}'`);
    }
    let sql = url.searchParams.get("query") || body;
    const reads = url.searchParams.has("readonly");
    try {
      if (url.searchParams.has("database")) session.query(`USE ${url.searchParams.get("database")}`);
      if (reads && /^(INSERT|CREATE|DROP|ALTER|TRUNCATE)/i.test(sql.trim())) throw new Error("Code: 164. DB::Exception: readonly mode");
      if (reads && settings.length > 0) sql += " SETTINGS " + settings.join(", ");
      const result = await session.queryBindAsync(sql, params, { format: "JSONEachRow" });
      res.writeHead(200);
      res.end(Buffer.from(result.bytes()));
    } catch (err) {
      res.writeHead(/Code: 516/.test(err) ? 403 : 500);
      res.end(String(err.message || err));
    }
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
