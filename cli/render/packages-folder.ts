import { readlinkSync, statSync } from 'node:fs'
import { sep } from 'node:path'
import { isLink, realPlace } from '../../src/folder/inside-folder.ts'
import { below, type NamedFolder } from '../../src/folder/named-folder.ts'
import { isGitFolder } from '../../src/folder/safe-path.ts'
import { FleetGit } from '../../src/git/fleet-git.ts'
import type { PackageSearch } from '../../src/render/disk/packages-elsewhere.ts'
import type { RenderOptions } from '../../src/render/options.ts'
import { quoteText } from '../../src/schema/describe-value.ts'
import { shownFolder } from '../fleet/read-fleet.ts'
import type { Host } from '../host.ts'
import { UsageError } from '../usage-error.ts'
import type { FleetRenderRequest } from './fleet-render-request.ts'

/** Returns the folder of the packages as `outFolder` does; undefined if neither the caller nor the options name one. */
export function packagesFolder(
  dir: NamedFolder,
  request: Pick<FleetRenderRequest, 'out'>,
  options: RenderOptions,
  host: Pick<Host, 'locate'>,
): NamedFolder | undefined {
  return request.out === undefined && options.out === undefined ? undefined : outFolder(dir, request, options, host)
}

/** Returns the folder for the packages. @throws UsageError when none is named, or a file is there */
export function outFolder(
  dir: NamedFolder,
  { out }: Pick<FleetRenderRequest, 'out'>,
  options: RenderOptions,
  host: Pick<Host, 'locate'>,
): NamedFolder {
  if (out === '')
    throw new UsageError('`--out` must name the folder for the packages, got an empty text; the folder that you are in is `.`')
  if (out !== undefined) return noFile({ disk: host.locate(out), shown: shownFolder(out) })
  if (options.out === undefined) throw new UsageError('`--out` must name the folder for the packages')
  return noFile(below(dir, options.out))
}

/** Returns the folder, which need not exist. @throws UsageError when the path is a file, or lies within .git */
function noFile(folder: NamedFolder): NamedFolder {
  if (realPlace(folder.disk).split(sep).some(isGitFolder))
    throw new UsageError(`'${folder.shown}' must be a folder for the packages, not within .git`)
  const [found, isLinked] = [statSync(folder.disk, { throwIfNoEntry: false }), isLink(folder.disk)]
  if (found?.isDirectory() ?? !isLinked) return folder
  const link = isLinked ? `a symbolic link to ${quoteText(readlinkSync(folder.disk))}, ` : ''
  const what = found === undefined ? 'which does not exist' : 'a file'
  throw new UsageError(`'${folder.shown}' must be a folder for the packages, got ${link}${what}`)
}

/**
 * Returns what a search for packages of the fleet outside of `out` begins with. @param git  that of a reading of the fleet, if there is one
 */
export function searchOf(
  packages: readonly string[],
  { dir, out }: { readonly dir: NamedFolder; readonly out: NamedFolder },
  options: RenderOptions,
  git = new FleetGit(() => dir.disk),
): PackageSearch {
  const isOutAsked = options.out === undefined || realPlace(below(dir, options.out).disk) !== realPlace(out.disk)
  return { made: packages, fleet: options.fleet, isOutAsked, git }
}
