/// How nginx is run for a test: in one process, as whoever runs the tests, in one directory.
enum NginxConfiguration {
  static func text(
    directory: String, listen: String = "", option: String = ""
  ) -> String {
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(directory)/\($0);" }.joined(separator: "\n  ")
    return """
      daemon off;
      master_process off;
      pid \(directory)/pid;
      error_log \(directory)/error.log;
      events { worker_connections 512; }
      http {
        \(temporary)
        access_log off;
        default_type application/octet-stream;
        types { text/plain txt; }
        gzip on;
        gzip_types text/plain;
        limit_conn_zone $server_name zone=all:1m;
        server {
          listen 127.0.0.1:{port} backlog=512 \(listen);
          root \(directory)/root;
          \(option)
        }
      }
      """
  }
}
