import { versionsOfKind } from '../../kinds/package-kinds.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { describeChoice, quoteText } from '../../schema/describe-value.ts'
import type { Collector } from './collector.ts'
import { fieldAt, textOfField } from './field.ts'
import { groupKind } from './object-metadata.ts'

/** Reports objects of package managers whose version no API server takes, and warns of those that only servers of older releases take. */
export function checkVersions(objects: readonly KrmObject[], collector: Collector): void {
  for (const object of objects) {
    const { served, older = [] } = versionsOfKind(groupKind(object)) ?? {}
    if (served === undefined) continue
    // Of a repeated key, as behind a lost `---`, the last value counts, and the kind is that of the first.
    const field = fieldAt(object, ['apiVersion'])
    const version = textOfField(field) ?? ''
    if (!older.includes(version)) collector.choice(field, served)
    else {
      const message = `must be ${describeChoice(served)}, got ${quoteText(version)}, which only older releases serve`
      collector.add('dependency-form-invalid', field, message, { severity: 'warning' })
    }
  }
}
