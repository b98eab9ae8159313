import { formatResourceRef, type Result } from '../result.ts'
import { documentText, type VendorObject } from './vendor-objects.ts'

const HOOK = 'helm.sh/hook'

/** Objects, and a warning for each hook that is left out. */
interface WithoutHooks {
  readonly objects: readonly VendorObject[]
  readonly left: readonly Result[]
}

/**
 * Returns objects without the hooks of a chart, which only Helm runs at their time. Tests are always left out: as objects they would run
 * after each deployment. A definition with the former hook `crd-install` is no hook.
 *
 * @param keeps  true to keep all hooks but tests
 */
export function withoutHooks(objects: readonly VendorObject[], keeps: boolean): WithoutHooks {
  const left: Result[] = []
  const kept = objects.filter((each) => {
    const hook = each.object.annotations.get(HOOK)
    const events = (hook ?? '').split(',').map((event) => event.trim())
    const isTest = events.some((event) => /^test(?:-success|-failure)?$/.test(event))
    if (hook === undefined || events.includes('crd-install') || (keeps && !isTest)) return true
    left.push(leftOut(each, hook, isTest))
    return false
  })
  return { objects: kept, left }
}

function leftOut(each: VendorObject, hook: string, isTest: boolean): Result {
  const { object } = each
  const way = isTest ? '`helm test` runs it' : '--hooks keep makes it an object of the package'
  const source = sourceOf(each)
  return {
    severity: 'warning',
    message: `\`${formatResourceRef(object.ref)}\` is left out: it is a hook (${hook}), which only Helm runs; ${way}`,
    resourceRef: object.ref,
    ...(source !== undefined && { file: { path: source, index: 0 } }),
    tags: { rule: 'import-hook' },
  }
}

/** Returns the template that an object comes from, as `helm template` writes it above the object: `web/templates/job.yaml`. */
export function sourceOf(each: VendorObject): string | undefined {
  return /^# Source: (.+?)\r?$/m.exec(documentText(each))?.[1]
}
