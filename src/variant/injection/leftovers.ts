import { isRecord, lookup } from '../../json.ts'
import { CONDITIONS, type KptfileList, READINESS_GATES } from '../../kinds/kptfile.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import type { InjectionPoint } from './injection-point.ts'

/** Conditions and gates of points that are gone, and gates of points that are no longer required: nothing takes them away (docs/porch.md 4). */
export function leftovers(kptfile: KrmObject, points: readonly InjectionPoint[]): readonly Result[] {
  const types = new Set(points.map(({ conditionType }) => conditionType))
  const required = new Set(points.flatMap((point) => (point.required ? [point.conditionType] : [])))
  return [
    ...leftoversIn(kptfile, CONDITIONS, types, 'is of no injection point of the package'),
    ...leftoversIn(kptfile, READINESS_GATES, required, 'is of no required injection point of the package'),
  ]
}

function leftoversIn(kptfile: KrmObject, { path, key }: KptfileList, known: ReadonlySet<string>, why: string): readonly Result[] {
  const list = kptfile.get(path)
  if (!Array.isArray(list)) return []
  return list.flatMap((entry, index) => {
    const type = isRecord(entry) ? lookup(entry, key) : undefined
    if (typeof type !== 'string' || !type.startsWith('config.injection.') || known.has(type)) return []
    const message = `${why}: ${quoteText(type)} was set by a person or an earlier run, and stays until somebody removes it`
    return [
      {
        ...faultToResult(kptfile, { severity: 'warning', rule: 'injection-leftover', path: [...path, index, key], message }),
        severity: 'info' as const,
      },
    ]
  })
}
