import { expect, test } from 'vitest'
import { checkLength, LimitExceeded, MAX_STEPS, MAX_TEXT, MAX_WORK, openBudget, RunBudget, spend, spendStep, spendText } from './budget.ts'

test('an evaluation may use all of its work, and not one unit more', () => {
  spend(MAX_WORK)
  expect(() => spend(1)).toThrow(new LimitExceeded(`evaluation limit exceeded: ${MAX_WORK} units of work`))
  openBudget()
  expect(() => spend(MAX_WORK)).not.toThrow()
})

test('eight characters cost as much as one node', () => {
  spendText(8 * MAX_WORK)
  expect(() => spendText(8)).toThrow(LimitExceeded)
})

test('a step costs its nodes, and steps are counted, too', () => {
  spendStep(MAX_WORK)
  expect(() => spendStep(1)).toThrow('units of work')
  openBudget()
  for (let step = 0; step < MAX_STEPS; step++) spendStep(0)
  expect(() => spendStep(0)).toThrow(`evaluation limit exceeded: ${MAX_STEPS} steps of comprehensions`)
})

test('a text has a largest length', () => {
  expect(() => checkLength(MAX_TEXT)).not.toThrow()
  expect(() => checkLength(MAX_TEXT + 1)).toThrow(`evaluation limit exceeded: ${MAX_TEXT} characters in one string`)
})

test('a run pays for what its evaluations spent and for their nodes, and then refuses', () => {
  const run = new RunBudget(100)
  spend(60)
  run.charge(40)
  expect(run.isSpent).toBe(false)
  expect(() => run.check()).not.toThrow()
  openBudget()
  run.charge(1)
  expect(run.isSpent).toBe(true)
  expect(() => run.check()).toThrow(new LimitExceeded('run limit exceeded: 100 units of work in all evaluations'))
})

test('a part of a run is paid by the whole, and knows who took all', () => {
  const whole = new RunBudget(100)
  const [greedy, other] = [new RunBudget(200, whole), new RunBudget(50, whole)]
  greedy.charge(101)
  expect([greedy.isSpent, greedy.isSpentByOthers, other.isSpent, other.isSpentByOthers]).toEqual([true, true, true, true])
  expect(() => other.check()).toThrow('run limit exceeded: 100 ')
  other.charge(51)
  expect([other.isSpent, other.isSpentByOthers]).toEqual([true, false])
  expect(() => other.check()).toThrow('run limit exceeded: 50 ')
})

test('a run of its own is spent by no others', () => {
  const run = new RunBudget(1)
  expect([run.isSpent, run.isSpentByOthers]).toEqual([false, false])
  run.charge(2)
  expect([run.isSpent, run.isSpentByOthers]).toEqual([true, false])
})
