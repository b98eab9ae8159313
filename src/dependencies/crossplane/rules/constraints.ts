import type { Finding } from '../../finding.ts'
import type { KindOfApi } from '../../package-index.ts'
import type { Collector } from '../../reading/collector.ts'
import { placeOfField } from '../../reading/field.ts'
import { checkConstraint } from '../../reading/written-constraint.ts'
import type { DependsOnPackage } from '../dependencies.ts'
import type { CrossplaneInstall } from '../installs.ts'
import type { PackageMetadata } from '../known.ts'
import { isDigest } from '../reference.ts'
import { type CrossplaneContext, packageOfSource } from '../requirements.ts'
import { requiredKinds } from '../write-crossplane.ts'

/** Checks the metadata of every version, known or being written. Returns the kinds that the requirements name. */
export function checkMetadata(context: CrossplaneContext, collector: Collector): ReadonlyMap<string, KindOfApi> {
  const reporting = { ...context, collector }
  return requiredKinds(context.known.all, (each) => {
    const metadata = each.read(collector)
    checkConstraints(each.id, metadata, reporting)
    return metadata
  })
}

// An absent range is a fault today: Crossplane reads it as "". In the seed it asks for any version.
function checkConstraints(id: string, { dependsOn = [], platform }: PackageMetadata, context: CrossplaneContext): void {
  const { collector } = context
  if (platform !== undefined)
    collector.constraint(platform.constraint, () => ({ field: platform.field, known: () => [], tags: { package: id } }))
  for (const each of dependsOn) {
    if (each.type !== 'package') continue
    checkKind(each, context)
    if (isDigest(each.constraint)) continue
    const { kind, constraint, constraintField, source } = each
    const noText = constraintField.value !== undefined && typeof constraintField.value !== 'string'
    if (noText || (kind === '' && constraint === '')) continue
    const known = () => packageOfSource(source, context).versions
    collector.constraint(constraint, () => ({ field: constraintField, known, tags: { package: id, dependency: source } }))
  }
}

/** Reports a requirement of a kind that the catalog has not for the source: one of them is wrong, and the object would be of a wrong kind. */
function checkKind({ kind, source, field }: DependsOnPackage, { known, collector }: CrossplaneContext): void {
  const listed = known.kindOf(source)
  if (kind === '' || listed === '' || kind === listed) return
  collector.form(field, `requires ${source} as a ${kind}, and the catalog lists it as a ${listed}`)
}

/**
 * Reports constraints of the Lock that do not parse, where the Lock alone says what a package requires. Proposes no value, since Crossplane
 * writes the Lock.
 */
export function checkRecordedConstraints(present: readonly CrossplaneInstall[], { reader }: CrossplaneContext): Finding[] {
  return present.flatMap(({ source, recorded, metadata, skipsDependencies }) => {
    const dependencies = skipsDependencies || metadata?.dependsOn !== undefined ? [] : (recorded?.dependencies ?? [])
    return dependencies.flatMap(({ source: dependency, constraint: text, constraintField }) => {
      if (text === '' || isDigest(text)) return []
      const place = () => placeOfField(constraintField)
      const written = { text, place, ecosystem: 'crossplane', reader, traps: [], known: () => [], tags: { package: source, dependency } }
      return checkConstraint(written).map((found) => ({ ...found, proposedValue: undefined }))
    })
  })
}
