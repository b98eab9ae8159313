import { stringify } from 'yaml'
import { asRecord, type JsonRecord } from '../../../src/json.ts'
import type { Texts } from '../render-folder.ts'
import { resourcesIn } from '../written-resource.ts'

/** Returns true for the file with the package context of a package or subpackage. */
export function isContextFile(path: string): boolean {
  return /(^|\/)package-context\.yaml$/.test(path)
}

/**
 * Returns what kpt makes of a package, with the package contexts that the packages of a variant have in any case (docs/porch.md U21): one
 * that the package has stays, with its own name, beside a Kptfile that is left; a subpackage that upstream adds gets one.
 */
export function contextsKept(expected: Texts, local: Texts): Texts {
  const kptfiles = Object.keys(expected).filter((path) => /(^|\/)Kptfile$/.test(path))
  const contexts = kptfiles.flatMap((kptfile) => {
    const path = kptfile.replace(/Kptfile$/, 'package-context.yaml')
    const context = contextOf(path, expected[path] ?? local[path])
    if (local[path] === undefined && (kptfile === 'Kptfile' || local[kptfile] !== undefined)) return []
    const [made] = resourcesIn(kptfile, expected[kptfile] ?? '') ?? []
    const { name, 'package-path': place } = asRecord((contextOf(path, local[path]) ?? newContext(made?.name ?? '')).data)
    const value = context ?? newContext(made?.name ?? '')
    const data = { ...asRecord(value.data), ...(name !== undefined && { name }), ...(place !== undefined && { 'package-path': place }) }
    return [[path, stringify({ ...value, data })] as const]
  })
  const left = Object.entries(expected).filter(([path]) => !contexts.some(([context]) => context === path))
  return { ...Object.fromEntries(left), ...Object.fromEntries(contexts) }
}

function contextOf(path: string, text: string | undefined): JsonRecord | undefined {
  return resourcesIn(path, text ?? '')?.find(({ name }) => name === 'kptfile.kpt.dev')?.value
}

function newContext(name: string): JsonRecord {
  const metadata = { name: 'kptfile.kpt.dev', annotations: { 'config.kubernetes.io/local-config': 'true' } }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { name } }
}
