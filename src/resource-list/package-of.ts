import type { KrmObject } from './krm-object.ts'

/** The file name that makes a folder a package. */
export const KPTFILE = 'Kptfile'

/** Whether it is the file that makes its folder a package. */
export function isKptfile(path: string): boolean {
  return path === KPTFILE || path.endsWith(`/${KPTFILE}`)
}

/** Where a file is among all packages of a list: its path, below the folder of its package where the orchestrator named one. */
export function locate(path: string, packagePath: string | undefined): string {
  return packagePath === undefined ? path : `${packagePath}/${path}`
}

/** The folder part of a path, '' for the top. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? '' : path.slice(0, slash)
}

/** The folders of all packages in a list: those that hold a Kptfile. */
export function packageFolders(items: readonly KrmObject[]): ReadonlySet<string> {
  const kptfiles = items.filter((item) => item.kind === 'Kptfile' && item.file !== undefined)
  return new Set(kptfiles.map((item) => folderOf(locate(item.file?.path ?? '', item.packagePath))))
}

/** The nearest folder above a file that is a package; '' when none is. */
export function packageOf(location: string, folders: ReadonlySet<string>): string {
  let folder = folderOf(location)
  while (folder !== '' && !folders.has(folder)) folder = folderOf(folder)
  return folder
}
