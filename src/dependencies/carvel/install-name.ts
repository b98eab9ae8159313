/** The name of a PackageInstall that is made for a dependency (seed 002): the refName and the version. */
export function installName(refName: string, version: string): string {
  return `${refName}.${version}`.toLowerCase().replace(/[^a-z0-9.-]/g, '-')
}
