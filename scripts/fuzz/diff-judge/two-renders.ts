import { parse } from 'yaml'
import { fanOut, planAsConfigured } from '../../../functions/fan-out/fan-out.ts'
import { renderVariants } from '../../../functions/render-variants/render-variants.ts'
import { KrmObject } from '../../../src/resource-list/krm-object.ts'
import { ResourceList } from '../../../src/resource-list/resource-list.ts'
import { FunctionError, hasErrors } from '../../../src/result.ts'
import { type ClusterObjects, identityOf } from '../../../testdata/diff/apply-report.ts'
import type { FleetFiles } from '../../../testdata/diff/fleet-state.ts'

/*
 * The judge's own view of a fleet: its sets fanned out and its packages rendered by the functions, in full. Nothing of src/diff is used.
 */

const OPTIONS = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: RenderVariants
metadata:
  name: options
spec:
  out: out
  pipeline: run
  allowEmpty: true
  allowMoved: true
  discardEdits: true
  maxDeletions: 100%
`

/**
 * Returns the objects that clusters get, by package; undefined for a fleet that cannot be rendered.
 *
 * @param committed  the packages that the repository holds, which are updated; without them all packages are created
 */
export function renderedObjects(files: FleetFiles, committed?: FleetFiles): ClusterObjects | undefined {
  const items = renderedItems(files, committed)
  if (items === undefined) return undefined
  const objects: ClusterObjects = new Map()
  for (const item of items) {
    const [, folder] = /^out\/([^/]+\/[^/]+)\//.exec(item.file?.path ?? '') ?? []
    if (folder === undefined) continue
    const value = parsed(item.toText())
    if (value.kind === 'Kptfile' || value.metadata.annotations?.['config.kubernetes.io/local-config'] === 'true') continue
    const plain = withoutMarks(value)
    const own = objects.get(folder) ?? new Map()
    objects.set(folder, own.set(identityOf({ ...plain, ...plain.metadata }), plain))
  }
  return objects
}

const read = new Map<string, string>()

/** Returns the value of an object, read once from equal texts: the renders of a fleet differ in few objects. */
function parsed(text: string) {
  const known = read.get(text) ?? JSON.stringify(parse(text))
  if (read.size > 1_000) read.clear()
  read.set(text, known)
  return JSON.parse(known)
}

/** Returns the files of all packages as a repository holds them, by REPOSITORY/PACKAGE/PATH. Each object gets a file of its own. */
export function renderedPackages(files: FleetFiles, committed?: FleetFiles): FleetFiles {
  const packages = new Map<string, readonly string[]>()
  for (const item of renderedItems(files, committed) ?? []) {
    const { path = '' } = item.file ?? {}
    if (!path.startsWith('out/')) continue
    const own = path.slice('out/'.length)
    // An object that upstream renamed and people keep has its file together with the new one.
    packages.set(packages.has(own) ? own.replace(/\.yaml$/, `-${item.name ?? ''}.yaml`) : own, item.toText().trimEnd().split('\n'))
  }
  return packages
}

/** Returns the files of a fleet with the variants of its sets; undefined if an expression has no value for a target. */
function fannedOut(files: FleetFiles): ResourceList | undefined {
  const list = ResourceList.of([...files].map(([path, lines]) => itemOf(path, lines)))
  return isRefused(() => fanOut(list, planAsConfigured(list))) ? undefined : list
}

function isRefused(act: () => void): boolean {
  try {
    act()
    return false
  } catch (error) {
    if (error instanceof FunctionError) return true
    throw error
  }
}

function renderedItems(files: FleetFiles, committed: FleetFiles = new Map()): readonly KrmObject[] | undefined {
  const list = fannedOut(files)
  if (list === undefined) return undefined
  const packages = Array.from(committed, ([path, lines]) => itemOf(`out/${path}`, lines))
  const whole = ResourceList.of([...list.items, ...packages], KrmObject.fromDocument(OPTIONS))
  return isRefused(() => renderVariants(whole)) || hasErrors(whole.results) ? undefined : whole.items
}

function itemOf(path: string, lines: readonly string[]): KrmObject {
  return KrmObject.fromDocument(`${lines.join('\n')}\n`, { path, index: 0, line: 1 })
}

/** Removes what a clone and the wire write for tools, which is no change for a reviewer. */
function withoutMarks(value: { metadata: { annotations?: Record<string, string> } }) {
  const { annotations } = value.metadata
  for (const key of Object.keys(annotations ?? {}))
    if (/^(?:internal\.kpt\.dev|internal\.config\.kubernetes\.io|config\.kubernetes\.io)\//.test(key)) delete annotations?.[key]
  if (annotations !== undefined && Object.keys(annotations).length === 0) delete value.metadata.annotations
  return value as typeof value & { apiVersion: string; kind: string; metadata: { name: string } }
}
