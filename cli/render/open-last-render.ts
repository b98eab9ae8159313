import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { attempt } from '../../src/attempt.ts'
import { shortDigest } from '../../src/folder/folder-print.ts'
import { realPlace } from '../../src/folder/inside-folder.ts'
import { fleetIdentity } from '../../src/git/fleet-identity.ts'
import { cacheFolder } from '../../src/git/git-cache.ts'
import { GitError } from '../../src/git/run-git.ts'
import { LastRender } from '../../src/render/disk/last-render.ts'
import type { Host } from '../host.ts'
import { isFolder } from '../place-kind.ts'
import { printJson } from '../print/print-value.ts'
import type { FleetRenderRequest } from './fleet-render-request.ts'

/**
 * Opens the record of the last render of a fleet. Returns undefined for a run on a part of the fleet or of a saved plan, for folders that
 * are missing, and where the user has no folder for caches, which holds the record.
 *
 * @param out      the folder of the packages, if known
 * @param started  the time before the run read anything, in milliseconds
 * @param byGit    as for `fleetIdentity`
 */
export function openLastRender(
  dir: string,
  out: string | undefined,
  started: number,
  request: FleetRenderRequest,
  host: Host,
  byGit?: () => string | undefined,
): LastRender | undefined {
  const { only = [], shard, cluster, saved, status } = request
  const { XDG_CACHE_HOME, HOME, KRM_VARIANTS_DEBUG = '' } = host.environment
  if (
    only.length > 0 ||
    shard !== undefined ||
    cluster !== undefined ||
    saved !== undefined ||
    status === true ||
    KRM_VARIANTS_DEBUG !== ''
  )
    return undefined
  // A relative cache folder is none (XDG Base Directory Specification).
  if (out === undefined || out === '' || !isAbsolute(XDG_CACHE_HOME || HOME || '')) return undefined
  const [fleet, packages] = [host.locate(dir), host.locate(out)]
  if (!isFolder(fleet) || (existsSync(packages) && !isFolder(packages))) return undefined
  // Where git refuses the repository of a fleet, the options may name the fleet.
  const identity = attempt(() => fleetIdentity(fleet, packages, byGit), GitError)
  if (identity === undefined) return undefined
  const file = join(cacheFolder(host.environment, tmpdir(), 'renders'), shortDigest(identity, realPlace(packages)))
  const asked = shortDigest(host.version, identity, fleet, packages, dir, out, host.locate('.'), choicesOf(request, host))
  return new LastRender({ file, out: packages, request: asked, started, callsAnew: request.allowExec === true || request.cache === false })
}

/** Returns what the caller chose beside the folders, as text. */
function choicesOf(request: FleetRenderRequest, host: Host): string {
  const { config, fanOut, run, failFast, followRenames, discardEdits, allowMoved, allowOutside } = request
  const { allowExec, function: programs, imagePrefix, builtin, allowContainers, allowNetwork, cache } = request
  const prefix = imagePrefix ?? host.environment.KPT_IMAGE_PREFIX
  const file = config === undefined ? undefined : host.locate(config)
  const content = file !== undefined && existsSync(file) ? readFileSync(file, 'base64') : ''
  const choices = { config, content, fanOut, run, failFast, followRenames, discardEdits, allowMoved, allowOutside }
  return printJson({ ...choices, allowExec, programs, prefix, builtin, allowContainers, allowNetwork, cache })
}
