import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'

/** The program of e2e/hosts/argocd-sets, which is too large to be built in each run; undefined where the recorded answers must do. */
export const ARGOCD_SETS = process.env.ARGOCD_SETS

interface Source {
  readonly path: string
}

/** An Application in the fields that a fleet has of it. */
export interface Application {
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly finalizers?: readonly string[]
  }
  readonly spec: { readonly source?: Source; readonly sources?: readonly Source[] } & Readonly<Record<string, unknown>>
}

export interface SetAnswer {
  readonly error: string
  readonly applications: readonly Application[]
}

/** Asks Argo CD's generators for the Applications of a set. @param root  a git checkout @param secrets  those of the clusters */
export function askArgoCD(program: string, root: string, set: unknown, secrets: readonly unknown[]): SetAnswer {
  const { stdout, stderr, status } = spawnSync(program, { input: `${JSON.stringify({ root, set, secrets })}\n`, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  const { error, applications }: { readonly error: string; readonly applications: readonly Application[] | null } = JSON.parse(stdout)
  return { error, applications: (applications ?? []).map(withoutStatus).toSorted(byName) }
}

/** Leaves out the status and the time of creation, which no API server has written. */
function withoutStatus({ metadata, spec }: Application): Application {
  const entries = Object.entries(metadata).filter(([key]) => key !== 'creationTimestamp')
  return { metadata: { ...Object.fromEntries(entries), name: metadata.name }, spec }
}

export function byName(one: Application, other: Application): number {
  return one.metadata.name < other.metadata.name ? -1 : 1
}

/** Returns the folder of the source of an Application, which may be the only one of a list. A slash at its end makes no difference. */
export function pathOf({ spec }: Application): string {
  return (spec.source ?? spec.sources?.[0])?.path.replace(/\/+$/, '') ?? ''
}

/** Returns what must be equal: all but what `sync` writes for itself, and the address and build options of the source. */
export function comparedFields(application: Application): unknown {
  const { metadata, spec } = application
  const { project, destination, syncPolicy, ignoreDifferences, info, revisionHistoryLimit } = spec
  const foreign = Object.entries(metadata.annotations ?? {}).filter(([key]) => !key.startsWith('krm-variants.dev/'))
  return {
    metadata: {
      name: metadata.name,
      namespace: metadata.namespace ?? 'argocd',
      labels: metadata.labels ?? {},
      annotations: Object.fromEntries(foreign),
      finalizers: metadata.finalizers ?? [],
    },
    spec: {
      project,
      destination,
      path: pathOf(application),
      syncPolicy: withoutFalse(syncPolicy),
      ignoreDifferences,
      info,
      revisionHistoryLimit,
    },
  }
}

/** Leaves out flags of an automatic sync that are false, which Argo CD does not write; `enabled` it does. */
function withoutFalse(syncPolicy: unknown): unknown {
  const flag = (key: string, value: unknown) => (value === false && ['prune', 'selfHeal', 'allowEmpty'].includes(key) ? undefined : value)
  return JSON.parse(JSON.stringify(syncPolicy ?? {}, flag))
}

/** Returns a digest of the compared fields, whatever the order of their keys. */
export function digestOf(application: Application): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(comparedFields(application))))
    .digest('hex')
    .slice(0, 16)
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, sorted(each)]))
}
