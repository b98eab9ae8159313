import { posix } from 'node:path'

/** A folder on disk, and its name in findings. */
export interface NamedFolder {
  readonly disk: string
  readonly shown: string
}

/** Returns the beginning of the names of files in a folder: '' for the current folder. */
export function rootOf({ shown }: Pick<NamedFolder, 'shown'>): string {
  return shown === '.' ? '' : shown
}

/** Returns a file or folder below a folder. */
export function below({ disk, shown }: NamedFolder, path: string): NamedFolder {
  return { disk: posix.join(disk, path), shown: posix.join(shown, path) }
}
