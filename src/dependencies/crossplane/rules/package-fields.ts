import { nearestName } from '../../../schema/nearest-name.ts'
import type { Collector } from '../../reading/collector.ts'
import { childField, fieldAt, keysOf, textOfField } from '../../reading/field.ts'
import { groupKind } from '../../reading/object-metadata.ts'
import type { CrossplanePackage } from '../objects.ts'
import { INSTALLING_KINDS, REMOVED_FIELDS } from './removed.ts'

const CHOICES = {
  packagePullPolicy: ['Always', 'IfNotPresent', 'Never'],
  revisionActivationPolicy: ['Automatic', 'Manual'],
} as const
const FLAGS = ['ignoreCrossplaneConstraints', 'skipDependencyResolution']
const OTHERS = ['commonAnnotations', 'commonLabels', 'package', 'packagePullSecrets', 'revisionHistoryLimit', 'runtimeConfigRef']
/** The fields of `spec` of packages. */
export const PACKAGE_FIELDS = [...Object.keys(CHOICES), ...FLAGS, ...OTHERS]

/**
 * Reports misspelt fields of packages, and values that a field cannot have. Crossplane takes any other text of `revisionActivationPolicy`
 * for Manual, so that `automatic` activates nothing. Of variables that Flux replaces nothing is known.
 */
export function checkPackageFields(packages: readonly CrossplanePackage[], collector: Collector): void {
  for (const { object } of packages) {
    if (!INSTALLING_KINDS.has(groupKind(object))) continue
    const spec = fieldAt(object, ['spec'])
    for (const key of keysOf(spec)) {
      const meant = meantField(key)
      if (meant !== undefined) collector.form(childField(spec, key), `is not a field of spec; did you mean '${meant}'?`)
    }
    const known = (key: string) => !textOfField(childField(spec, key))?.includes('${')
    for (const [key, allowed] of Object.entries(CHOICES)) if (known(key)) collector.choice(childField(spec, key), allowed)
    for (const key of FLAGS.filter(known)) collector.flag(childField(spec, key))
  }
}

// A key that is near no field may be a field of a later release.
function meantField(key: string): string | undefined {
  return PACKAGE_FIELDS.includes(key) || REMOVED_FIELDS.includes(key) ? undefined : nearestName(key, PACKAGE_FIELDS)
}
