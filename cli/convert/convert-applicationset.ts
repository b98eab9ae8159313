import { basename } from 'node:path'
import { expandSet, type GeneratedApplication } from '../../src/convert/applicationset/expand-set.ts'
import { type PlacedApplication, placeApplications } from '../../src/convert/applicationset/place-applications.ts'
import { setFault } from '../../src/convert/applicationset/set-fields.ts'
import { groupBy } from '../../src/group-by.ts'
import type { VendorObject } from '../../src/intake/vendor-objects.ts'
import { scalarText } from '../../src/json.ts'
import { printable } from '../../src/printable.ts'
import { FunctionError, findingsOf } from '../../src/result.ts'
import { holdingFolders } from '../hold-folders.ts'
import type { ExitCode, Host } from '../host.ts'
import type { Imported } from '../import/import-sources.ts'
import { applicationSource, type BuiltApplication, buildBase, buildSource } from './application-sources.ts'
import { readSetFolder, type SetFolder } from './applicationset-folder.ts'
import { type BuiltTree, type ConvertOptions, convertCommand } from './built-tree.ts'
import { convertTree } from './convert-tree.ts'
import { applicationNamespace, deployApplications } from './deploy-applications.ts'
import { labelsOf, packageNames, uniqueNames } from './kustomize-tree.ts'
import { dropUpstreamMarks } from './upstream-mark.ts'
import { readFleetPlace } from './write-fleet.ts'

/** Makes a fleet of ApplicationSets. Returns 0 only if the Applications of the fleet equal those that the sets generate. */
export async function convertApplicationSets(files: readonly string[], options: ConvertOptions, host: Host): Promise<ExitCode> {
  const out = options.out ?? 'fleet'
  const folder = readSetFolder(files, out, options.repo, host)
  readFleetPlace(folder.folder, out, 'applicationset', host)
  const applications = applicationsOf(folder)
  const sourced = eachOf(applications, (application) => applicationSource(application, folder))
  const placed = placeApplications(sourced, folder.clusters, labelsOf)
  tellChoices(placed, folder, host)
  const built = await buildApplications(sourced, placed, folder, options, host)
  const command = convertCommand('applicationset', files, options)
  return holdingFolders({ dirs: [out], isWriting: true }, host, () => convertTree({ ...built, command }, out, host))
}

/** Returns the Applications of all sets, by name. @throws FunctionError with the faults of all sets */
function applicationsOf(folder: SetFolder): readonly GeneratedApplication[] {
  const all = eachOf(folder.sets, (set) => expandSet(set, folder)).flat()
  if (all.length === 0) {
    const known =
      folder.clusters.length === 0 ? '' : `; the clusters of '${folder.folder}' are ${folder.clusters.map(({ name }) => name).join(', ')}`
    const none = `must give an Application, these give none${known}`
    throw new FunctionError(folder.sets.map((set) => setFault(set, ['spec', 'generators'], none)))
  }
  const namespace = applicationNamespace(all[0])
  const faults = [...groupBy(all, ({ name }) => name)].flatMap(([name, [each, ...others]]) =>
    others.length === 0
      ? []
      : [
          each.fault(
            ['metadata', 'name'],
            `must give each Application a name of its own, got '${name}' ${others.length === 1 ? 'twice' : `${others.length + 1} times`}`,
          ),
        ],
  )
  const outside = folder.sets.filter((set) => (set.namespace || 'argocd') !== namespace)
  faults.push(
    ...outside.map((set) =>
      setFault(
        set,
        ['metadata', 'namespace'],
        `must be one namespace for all sets, got '${set.namespace || 'argocd'}' beside '${namespace}'`,
      ),
    ),
  )
  if (faults.length > 0) throw new FunctionError(faults)
  return all.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Returns what a function makes of each item. @throws FunctionError with the faults of all items */
function eachOf<Item, Made>(items: readonly Item[], make: (item: Item) => Made): readonly Made[] {
  const made: Made[] = []
  const faults = items.flatMap((item) =>
    findingsOf(() => {
      made.push(make(item))
      return []
    }),
  )
  const distinct = new Map(faults.map((fault) => [JSON.stringify([fault.message, fault.file, fault.position]), fault]))
  if (distinct.size > 0) throw new FunctionError([...distinct.values()])
  return made
}

/** Says what the folder was taken for, and which clusters are divided. */
function tellChoices(placed: readonly PlacedApplication[], { folder, clusters, sets }: SetFolder, host: Host): void {
  const urls = new Set(placed.map(({ overlay }) => scalarText(overlay.git?.repo)))
  if (clusters.length === 0 && sets.some((set) => set.toText().includes('clusters:')))
    host.warn(`'${folder}' has no Secret of a cluster, so the only cluster is in-cluster\n`)
  host.warn(`'${folder}' is read as the checkout of ${[...urls].join(', ')}\n`)
}

async function buildApplications(
  sourced: readonly BuiltApplication[],
  placed: readonly PlacedApplication[],
  folder: SetFolder,
  options: ConvertOptions,
  host: Host,
): Promise<Omit<BuiltTree, 'command'>> {
  const [bases, targets] = [new Map<string, Imported>(), new Map<string, readonly VendorObject[]>()]
  for (const each of sourced) {
    const built = await buildSource(each, folder, options, host)
    targets.set(each.application.name, built.objects)
    // The first Application of a chart is its base: the others differ from it by their values.
    if (!bases.has(each.base)) bases.set(each.base, each.base === each.path ? built : await buildBase(each.base, folder, options, host))
  }
  for (const line of dropUpstreamMarks([...[...bases.values()].flatMap(({ objects }) => objects), ...[...targets.values()].flat()]))
    host.warn(`${printable(line)}\n`)
  return {
    from: 'applicationset',
    dir: folder.folder,
    name: basename(folder.root),
    overlays: placed.map(({ overlay }) => overlay),
    packages: uniqueNames([...bases.keys()].toSorted().map((path) => [path, packageNames(folder.root, path)] as const)),
    bases,
    targets,
    leftOut: [],
    deploy: (work, isFirst) => deployApplications(placed, work, isFirst, host),
  }
}
