import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, posix } from 'node:path'
import type { FluxPart } from '../../src/convert/flux/flux-clusters.ts'
import { fillVariables } from '../../src/convert/flux/variables.ts'
import { writeAt } from '../../src/folder/write-at.ts'
import { groupBy } from '../../src/group-by.ts'
import { documentText, readVendorObjects, type VendorObject } from '../../src/intake/vendor-objects.ts'
import { asList, asRecord, type JsonRecord, scalarText } from '../../src/json.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError, hasErrors } from '../../src/result.ts'
import { nameFirst } from '../../src/wording.ts'
import type { Host } from '../host.ts'
import type { Imported } from '../import/import-sources.ts'
import { KUSTOMIZATIONS, readKustomizationFile } from '../import/kustomize-faults.ts'
import { UsageError } from '../usage-error.ts'
import type { BuiltTree } from './built-tree.ts'
import type { FluxTree } from './flux-folder.ts'
import { copyTree } from './probe-bases.ts'

/** The objects that a cluster gets of Flux. */
export interface BuiltParts {
  readonly objects: readonly VendorObject[]
  /** A line for each Kustomization with expressions that stay in the objects. */
  readonly notes: readonly string[]
}

/**
 * Builds what Flux applies for the Kustomizations of a cluster: a kustomization with `targetNamespace` and `patches` added to it, in a copy
 * of the tree, as kustomize-controller writes them (fluxcd/pkg/kustomize), and then the variables of `postBuild.substitute`.
 *
 * @param dir  the tree as the caller named it
 * @param build  runs kustomize
 * @throws UsageError if kustomize fails; FunctionError for two Kustomizations that give one object different contents
 */
export async function buildParts(
  dir: string,
  parts: readonly FluxPart[],
  build: (folder: string) => Promise<Imported>,
  host: Host,
): Promise<BuiltParts> {
  const made: { readonly name: string; readonly bytes: Uint8Array }[] = []
  const notes: string[] = []
  for (const part of parts) {
    const { objects } = await buildPart(dir, part, build, host)
    const filled = objects.map((each) => withValues(each, part.spec))
    const left = [...new Set(filled.flatMap((each) => each.left))]
    if (left.length > 0)
      notes.push(
        `${part.name} leaves ${nameFirst(left, 3)} in the objects: convert follows \${NAME} and \${NAME:-default}, with values of \`substitute\``,
      )
    made.push({ name: `kustomize build ${posix.join(dir, part.path)}`, bytes: Buffer.from(filled.map(({ text }) => text).join('---\n')) })
  }
  const { objects, results } = readVendorObjects(made)
  if (hasErrors(results)) throw new FunctionError(results)
  return { objects, notes }
}

async function buildPart(
  dir: string,
  { path, spec }: FluxPart,
  build: (folder: string) => Promise<Imported>,
  host: Host,
): Promise<Imported> {
  if (!FIELDS.some((field) => spec[field] !== undefined)) return build(posix.join(dir, path))
  const root = host.locate(dir)
  const work = mkdtempSync(join(tmpdir(), 'krm-variants-flux-'))
  const copy = join(work, basename(root))
  try {
    copyTree(root, copy)
    const file = KUSTOMIZATIONS.map((each) => join(copy, path, each)).find((each) => existsSync(each)) ?? ''
    const kustomization = readKustomizationFile(file)
    addFields(kustomization, spec)
    writeAt(file, kustomization.toText())
    return await build(join(copy, path))
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(error.message.replaceAll(copy, dir)) : error
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

const FIELDS = ['targetNamespace', 'patches'] as const

function addFields(kustomization: KrmObject, { targetNamespace, patches }: JsonRecord): void {
  if (scalarText(targetNamespace) !== '') kustomization.set(['namespace'], scalarText(targetNamespace))
  if (asList(patches).length > 0) kustomization.set(['patches'], [...asList(kustomization.get(['patches'])), ...asList(patches)])
}

/** The label and annotation that keep an object from substitution, with the value `disabled`. */
const SUBSTITUTE = 'kustomize.toolkit.fluxcd.io/substitute'

/** Returns the text of an object with the values of variables, as kustomize-controller writes them. */
function withValues(built: VendorObject, { postBuild }: JsonRecord) {
  const text = documentText(built)
  const { labels, annotations } = built.object
  const { substitute, substituteFrom } = asRecord(postBuild)
  const values = new Map(Object.entries(asRecord(substitute)).map(([name, value]) => [name, scalarText(value).replaceAll('\n', '')]))
  const isKept = values.size === 0 || labels.get(SUBSTITUTE) === 'disabled' || annotations.get(SUBSTITUTE) === 'disabled'
  return isKept ? { text, left: [] } : fillVariables(text, values, asList(substituteFrom).length > 0)
}

/** Returns lines about the HelmReleases of a tree, which stay objects for Flux, and about those that no cluster gets. */
export function helmReleases(releases: FluxTree['releases'], targets: BuiltTree['targets']): readonly string[] {
  const built = [...targets.values()].flat().flatMap(({ object }) => (object.kind === 'HelmRelease' ? [object.name ?? ''] : []))
  // A prefix or a suffix may be around the name.
  const isBuilt = (name: string) => built.some((each) => each.includes(name))
  const places = [...groupBy(releases, ({ name }) => name)].map(([name, [{ place }]]) => ({ name, place }))
  const [first, ...others] = places.filter(({ name }) => isBuilt(name))
  const lost = places.filter(({ name }) => !isBuilt(name))
  return [
    ...lost.map(({ name, place }) => `${place}: HelmRelease ${name} is in no overlay, so no cluster gets it`),
    ...(first === undefined
      ? []
      : [
          `${first.place}: HelmRelease ${nameFirst([first, ...others], 3, ({ name }) => name)} ${others.length === 0 ? 'stays an object' : 'stay objects'} for Flux, which renders the chart; krm-variants import --helm makes a package of a chart`,
        ]),
  ]
}
