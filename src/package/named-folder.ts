import { posix } from 'node:path'

/** A folder on disk, and as people see it, in findings. */
export interface NamedFolder {
  readonly disk: string
  readonly shown: string
}

/** A folder or file below one. */
export function below({ disk, shown }: NamedFolder, path: string): NamedFolder {
  return { disk: posix.join(disk, path), shown: posix.join(shown, path) }
}
