import { expect, test } from 'vitest'
import { stylesFor } from '../print/styles.ts'
import { simulateJson, simulateText } from './simulate.ts'

const PLAIN = stylesFor({ isTerminal: false, environment: {} }, {})

const STEP = { what: 'install app 1.0.0', why: 'app is required' }
const PACKAGE = { name: 'app', at: '1.0.0', parts: ['owns CRD apps'] }

test('each state has its change, its reconciles with their reasons, and the packages afterwards', () => {
  const start = { change: undefined, rounds: [], packages: [], results: [] }
  const after = { change: 'up.yaml', rounds: [[STEP], []], packages: [PACKAGE, { name: 'dns', at: '', parts: [] }], results: [] }
  expect(simulateText([start, after], PLAIN)).toBe(`At the start

Change up.yaml
  reconcile 1
    * install app 1.0.0
        app is required
  reconcile 2
  = app: 1.0.0
      owns CRD apps
  = dns
`)
})

test('a change that makes no work says so, and a refused one that the work is not known', () => {
  const change = { change: 'up.yaml', rounds: [], packages: [], results: [] }
  const results = [{ severity: 'error' as const, message: 'is wrong', tags: { rule: 'required' as const } }]
  expect(simulateText([change], PLAIN)).toBe('Change up.yaml\n  no controller has anything to do\n')
  expect(simulateText([{ ...change, results }], PLAIN)).toBe(
    'Change up.yaml\n  it is not known what the controllers would do, for errors\n',
  )
  expect(JSON.parse(simulateJson([{ ...change, results }]))).toMatchObject({
    states: [{ change: 'up.yaml', results: [{ severity: 'error' }] }],
  })
})
