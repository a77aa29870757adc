"""Solves all strategies of a day with CP-SAT, on one thread.

Reads the program that cover-program.ts writes from standard input, with the strategies, the points of the table, the
limits that Option 1 sets, and the seconds of processor time that each strategy may take. Prints one line of JSON.
"""

import json
import sys
import threading
import time

from ortools.sat.python import cp_model


class Day:
    """The program, and the plans that are known: lists of values."""

    def __init__(self, given):
        self.given = given
        self.program = given["program"]
        self.plans = []

    def sum(self, terms, values):
        return sum(factor * values[x] for factor, x in terms)

    def points(self, values):
        return sum(points * value for points, value in zip(self.program["points"], values))

    def units(self, unit, values):
        return self.sum(self.program["units"][unit], values)

    def model(self, limits):
        """A model with these limits, and its variables."""
        model = cp_model.CpModel()
        most = self.program["most"]
        xs = [model.new_bool_var("") if m == 1 else model.new_int_var(0, m, "") for m in most]
        for row in self.program["rows"]:
            terms, right = row["terms"], row["right"]
            whole = all(abs(factor) == 1 and most[x] == 1 for factor, x in terms)
            less = sum(1 for factor, _ in terms if factor < 0)
            literals = [xs[x] if factor > 0 else ~xs[x] for factor, x in terms] if whole else []
            if whole and right + less == 1 and not row["equal"]:
                model.add_at_most_one(literals)
            elif whole and right + less == 1 and less == 0:
                model.add_exactly_one(literals)
            else:
                total = sum(factor * xs[x] for factor, x in terms)
                model.add(total == right if row["equal"] else total <= right)
        for unit, limit in limits.items():
            terms = self.program["units"][unit]
            if terms:
                model.add(sum(factor * xs[x] for factor, x in terms) <= limit)
        return model, xs


# Tried: see docs/decisions/0200.
SETTINGS = {
    "num_workers": 1,
    "cp_model_presolve": False,
    "cp_model_probing_level": 0,
    "linearization_level": 2,
    "add_lp_constraints_lazily": False,
}


class Search:
    """One strategy: its time, and what is known of it."""

    def __init__(self, day, seconds):
        self.day = day
        self.seconds = seconds
        self.ms = 0.0

    def solve(self, weights, units, limits):
        """The least of points × weights + units, as (values, bound, proven)."""
        day = self.day
        model, xs = day.model(limits)
        costs = [weights * points for points in day.program["points"]]
        for unit, factor in units.items():
            for n, x in day.program["units"][unit]:
                costs[x] += factor * n
        model.minimize(sum(cost * x for cost, x in zip(costs, xs) if cost))
        value = lambda plan: sum(cost * v for cost, v in zip(costs, plan))
        kept = [p for p in day.plans if all(day.units(unit, p) <= most for unit, most in limits.items())]
        best = min(kept, key=value, default=None)
        if best:
            for x, v in zip(xs, best):
                model.add_hint(x, v)
        solver = cp_model.CpSolver()
        for name, setting in SETTINGS.items():
            setattr(solver.parameters, name, setting)
        left = self.seconds - self.ms / 1000
        if left <= 0:
            return best, 0, False
        start = time.process_time()
        over = threading.Event()

        def watch():
            while not over.wait(0.02):
                if time.process_time() - start > left:
                    solver.stop_search()

        watcher = threading.Thread(target=watch)
        watcher.start()
        status = solver.solve(model)
        over.set()
        watcher.join()
        self.ms += 1000 * (time.process_time() - start)
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            found = [solver.value(x) for x in xs]
            day.plans.append(found)
            if best is None or value(found) < value(best):
                best = found
        proven = status == cp_model.OPTIMAL
        bound = value(best) if proven else solver.best_objective_bound
        return best, bound, proven


def strategy(day, name, lead, points, held, first, seconds):
    search = Search(day, seconds)
    limits = day.given["held"] if held else {}
    total = lambda plan: day.points(plan) + (points * day.units(lead, plan) if lead else 0)
    if not held:
        plan, _, proven = search.solve(1, {lead: points} if lead else {}, limits)
    else:
        # Two levels: the least of the lead, then the fewest points with no more of it.
        plan, _, proven = search.solve(0, {lead: 1}, limits)
        if proven:
            least = day.units(lead, plan)
            plan, _, proven = search.solve(1, {}, {**limits, lead: least})
            # With more of the lead, a plan costs at least the lead's points and Option 1's.
            if proven and total(plan) > points * (least + 1) + first:
                plan, _, proven = search.solve(1, {lead: points}, limits)
    score = total(plan) if plan else None
    return {"strategy": name, "ms": search.ms, "score": score, "proven": proven}


def main():
    given = json.load(sys.stdin)
    for name, value in given.get("settings", {}).items():
        SETTINGS[name] = value
    day = Day(given)
    answers = []
    first = 0
    for s in given["strategies"]:
        answers.append(strategy(day, s["name"], s["lead"], s["points"], s["held"], first, given["seconds"]))
        if s["name"] == "balanced" and answers[0]["proven"]:
            first = answers[0]["score"]
    print(json.dumps(answers))


main()
