/** Returns the code of an error of the operating system or of Node, `ENOENT`; undefined for any other error or value. */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
