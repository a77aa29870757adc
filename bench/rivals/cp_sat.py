"""Solves a plain program (CPLEX LP, as packages/cover-engine/src/proof/plain-milp.ts writes it) with CP-SAT.

Reads the program from standard input; the argument is the time limit in seconds. Prints one line of JSON. Every
number in such a program is whole, so the variables that are not binary are whole in some best solution too.
"""

import json
import sys
import time

from ortools.sat.python import cp_model

MOST = 10**7
SENSES = ("<=", "=", ">=")


def is_number(word):
    return word.lstrip("-").replace(".", "", 1).isdigit()


def read(text):
    head, _, rest = text.partition("Subject To")
    body, _, whole = rest.partition("Binary")
    binary = set(whole.split()) - {"End"}
    expressions, terms, sign, factor, sense = [], [], 1, 1.0, None
    for word in (head + body).split():
        if word == "Minimize" or word.endswith(":"):
            if terms:
                expressions.append((terms, None, 0))
            terms, sign, factor, sense = [], 1, 1.0, None
        elif word in ("+", "-"):
            sign = 1 if word == "+" else -1
        elif word in SENSES:
            sense = word
        elif is_number(word) and sense:
            expressions.append((terms, sense, round(float(word))))
            terms, sense = [], None
        elif is_number(word):
            factor = float(word)
        else:
            terms.append((word, round(sign * factor)))
            sign, factor = 1, 1.0
    return expressions, binary


def main():
    expressions, binary = read(sys.stdin.read())
    model = cp_model.CpModel()
    variables = {}

    def variable(name):
        if name not in variables:
            variables[name] = model.new_bool_var(name) if name in binary else model.new_int_var(0, MOST, name)
        return variables[name]

    for terms, sense, right in expressions:
        total = sum(factor * variable(name) for name, factor in terms)
        if sense is None:
            model.minimize(total)
        elif sense == "<=":
            model.add(total <= right)
        elif sense == ">=":
            model.add(total >= right)
        else:
            model.add(total == right)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    # Measured to be its best settings here: no presolve, no probing, the linear relaxation in full with its cuts.
    solver.parameters.cp_model_presolve = False
    solver.parameters.cp_model_probing_level = 0
    solver.parameters.linearization_level = 2
    solver.parameters.max_time_in_seconds = float(sys.argv[1])
    start = time.process_time()
    status = solver.solve(model)
    milliseconds = 1000 * (time.process_time() - start)
    found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    score = round(solver.objective_value) if found else None
    print(json.dumps({"ms": milliseconds, "score": score, "proven": status == cp_model.OPTIMAL}))


main()
