import { expect, test } from 'vitest'
import { Agenda, type ChoiceQuestion, type Question, type VersionQuestion } from './agenda.ts'
import { requirementIncompatibility, SolverPackage } from './external-incompatibility.ts'
import { PackageState } from './incompatibility.ts'

function version(id: string, keep?: number): VersionQuestion {
  const state = new PackageState(new SolverPackage({ id, versions: ['2', '1'], keep }))
  return { type: 'version', state, neededBy: new Map(), needs: 0, isAnswered: false, isQueued: false }
}

function choice(id: string, isLast = false): ChoiceQuestion {
  const cause = { type: 'root', root: { id, text: id, anyOf: [], isLast } } as const
  const external = requirementIncompatibility({ anyOf: [] }, [], { cause, given: true })
  return { type: 'choice', external, needs: 0, isAnswered: false, isQueued: false }
}

function nameOf(question: Question | undefined): string | undefined {
  if (question === undefined) return undefined
  if (question.type === 'version') return question.state.package.id
  return question.external.cause.type === 'root' ? question.external.cause.root.id : ''
}

function agendaOf(...questions: readonly Question[]): Agenda {
  const agenda = new Agenda()
  for (const question of questions) agenda.need(question)
  return agenda
}

/** Returns the names of the questions in the order in which they are asked. */
function order(agenda: Agenda): readonly (string | undefined)[] {
  const names = []
  for (let question = agenda.next(); question !== undefined; question = agenda.next()) {
    names.push(nameOf(question))
    agenda.answer({ question, level: 1, needed: [] })
  }
  return names
}

test('versions are asked before choices, kept packages first, and what may be unneeded last', () => {
  const questions = [choice('s', true), choice('r'), version('b'), choice('q'), version('a'), version('z', 1)]
  for (let turn = 0; turn < questions.length; turn++) {
    const turned = [...questions.slice(turn), ...questions.slice(0, turn)].map((each) => ({ ...each }))
    expect(order(agendaOf(...turned))).toEqual(['z', 'a', 'b', 'q', 'r', 's'])
  }
})

test('many questions are asked in their order, in whatever order they were needed', () => {
  const names = Array.from({ length: 40 }, (_, i) => `p${String(i).padStart(2, '0')}`)
  const shuffled = names.map((_, i) => names[(i * 17) % 40] ?? '')
  expect(order(agendaOf(...shuffled.map((name) => version(name))))).toEqual(names)
})

test('a question that is needed twice is asked once, and one that an answer raises after it', () => {
  const [a, b] = [version('a'), version('b')]
  const agenda = agendaOf(b)
  agenda.need(b)
  agenda.answer({ question: b, level: 1, needed: [a, a] })
  expect(order(agenda)).toEqual(['a'])
  expect(agenda.present().map(({ package: { id } }) => id)).toEqual(['b', 'a'])
})

test('a backjump opens the questions whose answers it takes back, and forgets what only they needed', () => {
  const [a, b, c] = [version('a'), version('b'), version('c')]
  const agenda = agendaOf(a)
  agenda.answer({ question: a, level: 1, needed: [b] })
  agenda.answer({ question: b, level: 2, needed: [c] })
  agenda.backjump(1)
  expect(agenda.present()).toEqual([a.state])
  expect(nameOf(agenda.next())).toBe('b')
  agenda.backjump(0)
  expect([agenda.present(), nameOf(agenda.next()), b.needs, c.needs]).toEqual([[], 'a', 0, 0])
  expect(order(agenda)).toEqual(['a'])
})

test('only a choice that is asked last says that all others have answers, until its answer is taken back', () => {
  const last = choice('s', true)
  const agenda = agendaOf(choice('r'), last)
  const first = agenda.next()
  if (first !== undefined) agenda.answer({ question: first, level: 1, needed: [] })
  expect(agenda.isAtLast).toBe(false)
  agenda.answer({ question: last, level: 2, needed: [] })
  expect(agenda.isAtLast).toBe(true)
  expect(agenda.present()).toEqual([])
  agenda.backjump(1)
  expect(agenda.isAtLast).toBe(false)
})
