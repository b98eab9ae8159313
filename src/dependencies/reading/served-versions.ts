import { versionsOfKind } from '../../kinds/package-kinds.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { describeChoice, quoteText } from '../../schema/describe-value.ts'
import type { Collector } from './collector.ts'
import { fieldAt } from './field.ts'
import { groupKind } from './object-metadata.ts'

/** Reports objects of package managers whose version no API server takes, and warns of those that only servers of older releases take. */
export function checkVersions(objects: readonly KrmObject[], collector: Collector): void {
  for (const object of objects) {
    const { apiVersion = '' } = object
    const { served, older } = versionsOfKind(groupKind(object)) ?? {}
    if (served === undefined || served.includes(apiVersion)) continue
    const field = fieldAt(object, ['apiVersion'])
    if (older?.includes(apiVersion) !== true) collector.choice(field, served)
    else {
      const message = `must be ${describeChoice(served)}, got ${quoteText(apiVersion)}, which only older releases serve`
      collector.add('dependency-form-invalid', field, message, { severity: 'warning' })
    }
  }
}
