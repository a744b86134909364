#pragma once
#include <sqlite3.h>

// What Swift cannot call as it stands: variadic functions, and macros that cast an integer to a
// function pointer. One typed function for each, named after what it stands for.

// SQLITE_TRANSIENT is such a macro. With it SQLite copies the text before the call returns, so that
// nothing of the caller's has to outlive the call.
static inline int csqlite_bind_text(
    sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// sqlite3_db_config is variadic.
static inline int csqlite_set_checkpoints_on_close(sqlite3 *database, int enabled) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, enabled ? 0 : 1, (int *)0);
}

// Reads the first bytes of the database file through SQLite's own file, and its size.
//
// SQL would do more than look: it creates the -wal and -shm files of a WAL database. Opening the
// file a second time would be worse: closing any descriptor of a file drops every POSIX lock that
// the process holds on it, those of another connection too (sqlite.org/howtocorrupt.html, 2.2).
// Bytes beyond the end of the file are zero.
static inline int csqlite_read_start(
    sqlite3 *database, void *buffer, int count, sqlite3_int64 *size) {
  sqlite3_file *file = 0;
  int result = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (result != SQLITE_OK) return result;
  if (file == 0 || file->pMethods == 0) return SQLITE_CANTOPEN;
  result = file->pMethods->xFileSize(file, size);
  if (result != SQLITE_OK) return result;
  result = file->pMethods->xRead(file, buffer, count, 0);
  return result == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : result;
}
