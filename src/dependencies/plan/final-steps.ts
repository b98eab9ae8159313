import type { Install, Target } from '../universe.ts'
import type { Step } from './plan.ts'

/**
 * What is left of the steps when all are done: an operator may install a version and move it later. What is made and moved is made in
 * the last version; what is moved twice goes to where it ends, and what ends where it began is not moved.
 *
 * @param nameFor  the name of the object that installs a version
 */
export function finalSteps(steps: readonly Step[], nameFor: (step: Step) => string): Step[] {
  const last = new Map<Install | Target, Step>()
  for (const step of steps) {
    const key = step.install ?? step.target
    const before = last.get(key)
    last.set(key, before?.op === 'create' && step.op === 'update' ? moved(before, step, nameFor) : step)
  }
  return [...last.values()].filter(
    ({ op, install, version, owner }) => op !== 'update' || version !== install?.text || owner !== install.owner,
  )
}

function moved(created: Step, { version }: Step, nameFor: (step: Step) => string): Step {
  const step = { ...created, version }
  return { ...step, name: nameFor(step) }
}
