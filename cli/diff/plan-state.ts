import type { FleetState } from '../../src/diff/fleet-state.ts'
import { readFleet } from '../../src/fleet/fleet.ts'
import { below } from '../../src/folder/named-folder.ts'
import { EMPTY_FOLDER } from '../../src/folder/whole-folder.ts'
import { type FleetNames, fleetNames } from '../../src/git/fleet-identity.ts'
import { gitTreeFolder } from '../../src/git/git.ts'
import type { JsonValue } from '../../src/json.ts'
import { remember } from '../../src/remember.ts'
import { packageGaps } from '../../src/render/disk/out-faults.ts'
import { planRender } from '../../src/render/plan-render.ts'
import { FunctionError, hasErrors } from '../../src/result.ts'
import { diskPackageSource, snapshotPackageSource } from '../../src/upstream/disk-package-source.ts'
import type { GitPackageSource, PackageSource } from '../../src/upstream/source-package.ts'
import { gitPlaces, isDeletionRefusal } from '../render/fleet-to-render.ts'
import { atSources } from '../render/sources-of-findings.ts'
import type { Reading, ReadState } from './read-revision.ts'
import { committedPackages, folderAt, noPlaces, placesOf } from './state-packages.ts'

/** Returns git repositories that find each name and read each package once: both states mostly ask for the same ones. */
export function readOnceEach(gitSource: GitPackageSource): GitPackageSource {
  return {
    ...gitSource,
    commits: onceEach(gitSource.commits),
    folder: onceEach(gitSource.folder),
  }
}

/** Returns a function that calls another one once for each list of arguments. */
function onceEach<Args extends readonly JsonValue[], Value>(act: (...args: Args) => Value): (...args: Args) => Value {
  const known = new Map<string, { readonly value: Value }>()
  return (...args) => {
    return remember(known, JSON.stringify(args), () => ({ value: act(...args) })).value
  }
}

/**
 * Plans the packages of a state. Moved tags and replaced edits, which `render` may refuse, are allowed: they are what a reviewer must see.
 * Removals that `render` refuses are planned too, with the refusal among the results of the plan.
 *
 * @param isStrict  true to throw the other faults of the plan. The packages of FROM are committed, and need not be rendered
 * @param identity  returns the names of a fleet whose options choose none. Git is asked for them once for both states
 */
export function planState(
  state: ReadState,
  out: string | undefined,
  gitSource: GitPackageSource,
  reading: Reading,
  { isStrict, identity }: { readonly isStrict: boolean; readonly identity: () => FleetNames },
): FleetState {
  const { revision, fleet, own } = state
  const { dir, top } = reading
  const folder = folderAt(top, out ?? '')
  const { fleet: chosen } = fleet.options
  const names = chosen === undefined ? identity() : fleetNames(dir.disk, folder.disk, chosen)
  const options = { ...fleet.options, fleet: names.name, allowMoved: true, discardEdits: true }
  const places = out === undefined ? noPlaces : () => placesOf(state, folder, out)
  const { functions } = reading
  const committed = out === undefined ? undefined : committedPackages(state, names, out, reading)
  const plan = planRender({
    items: own,
    passedOver: fleet.passedOver,
    setAside: fleet.setAside,
    options,
    hadName: names.hadName,
    keepsName: names.keepsName,
    packageSource: packageSourceOf(state, gitSource, reading),
    places,
    downstreams: {
      folder: (path) => committed?.folder(path) ?? EMPTY_FOLDER,
      tree: (_, id) => gitTreeFolder(top, id),
      shown: (path) => below(folder, path).shown,
    },
    ...(functions && { functions }),
  })
  const gaps = state.snapshot === undefined && out !== undefined ? packageGaps(plan, { out: folder }) : []
  if (gaps.length > 0) throw new FunctionError(gaps)
  const others = plan.results.filter((result) => !isDeletionRefusal(result))
  if (isStrict && hasErrors(others)) throw new FunctionError(atSources(plan.results, fleet).filter(({ severity }) => severity !== 'info'))
  return {
    name: { name: revision.name, ...(revision.commit !== undefined && { commit: revision.commit }) },
    items: own,
    fleet: readFleet(own),
    sets: fleet.sets,
    plan,
    ...(committed && { committed }),
  }
}

function packageSourceOf(
  { snapshot, fleet: { options } }: ReadState,
  gitSource: GitPackageSource,
  { dir, prefix, request, host }: Reading,
): PackageSource {
  const allowOutside = request.allowOutside === true
  if (snapshot !== undefined) return snapshotPackageSource({ snapshot, prefix, shown: dir.shown, allowOutside }, gitSource, options.clone)
  return {
    ...diskPackageSource(dir, { ...gitPlaces(request, options, host), base: dir.disk, allowOutside }, options.clone),
    git: gitSource,
  }
}
