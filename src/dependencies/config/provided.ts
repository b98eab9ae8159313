import { quoteNames } from '../../schema/describe-value.ts'
import type { Fault } from '../../schema/fault.ts'
import { didYouMean } from '../../schema/nearest-name.ts'
import { FILLED_TEXT, FILLED_TEXTS, type Infer, type Schema } from '../../schema/schema.ts'

/** The packages, of any version, and kinds that clusters have and no file of the fleet shows. */
export const PROVIDED = {
  description:
    'What clusters have that no file shows: a package of any version, `package`, or a kind, `apiVersion` and `kind`. A requirement on it is met.',
  type: 'array',
  items: {
    type: 'object',
    properties: {
      package: {
        description: 'The package as a requirement names it: a source, a Package or a manifest, without a version.',
        ...FILLED_TEXT,
      },
      ecosystem: { description: 'The system of the package; absent: any.', enum: ['carvel', 'crossplane', 'glasskube'] },
      apiVersion: { description: 'The group and version of the kind.', ...FILLED_TEXT },
      kind: { description: 'The name of the kind.', ...FILLED_TEXT },
      clusters: {
        description: 'The names of the clusters that have it; absent: every cluster.',
        ...FILLED_TEXTS,
        minItems: 1,
      },
    },
    additionalProperties: false,
  },
  examples: [
    [
      { package: 'xpkg.crossplane.io/crossplane-contrib/provider-helm', clusters: ['ber'] },
      { apiVersion: 'cert-manager.io/v1', kind: 'Certificate' },
    ],
  ],
} as const satisfies Schema

export type ProvidedEntry = Infer<typeof PROVIDED>[number]

/**
 * Returns the packages and kinds that a cluster is given beside those in files; a part of a list without a name has what every cluster has.
 */
export function providedIn(cluster: string | undefined, provided: readonly ProvidedEntry[]) {
  const own = provided.filter(({ clusters }) => clusters === undefined || (cluster !== undefined && clusters.includes(cluster)))
  return {
    apis: own.flatMap(({ apiVersion, kind }) => (apiVersion === undefined || kind === undefined ? [] : [{ apiVersion, kind }])),
    hasPackage: (ecosystem: string, id: string) => own.some((each) => each.package === id && (each.ecosystem ?? ecosystem) === ecosystem),
  }
}

/** Returns a fault for each entry that names neither a package nor a kind, or both. */
export function providedFaults(provided: readonly ProvidedEntry[]): Fault[] {
  return provided.flatMap((entry, i): Fault[] => {
    const ofKind = ['apiVersion', 'kind'].filter((key) => key in entry)
    const isKind = ofKind.length === 2 && entry.package === undefined && entry.ecosystem === undefined
    if (isKind || (entry.package !== undefined && ofKind.length === 0)) return []
    const message = `must have either \`package\` or both \`apiVersion\` and \`kind\`, got ${quoteNames(Object.keys(entry)) || 'neither'}`
    return [{ severity: 'error', rule: 'required', path: ['spec', 'provided', i], message }]
  })
}

/** Returns the words of each cluster that is named and is none of the clusters. */
export function unknownProvidedClusters(provided: readonly ProvidedEntry[], known: readonly string[]): readonly string[] {
  return provided.flatMap(({ clusters = [] }, i) =>
    clusters.flatMap((name, k) => {
      if (known.includes(name)) return []
      const near = didYouMean(name, known)
      const listed = known.length === 0 ? '; nothing names a cluster' : near || `; the clusters are ${quoteNames(known)}`
      return [`\`spec.provided[${i}].clusters[${k}]\` must be the name of a cluster, got '${name}'${listed}`]
    }),
  )
}
