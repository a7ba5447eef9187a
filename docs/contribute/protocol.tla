------------------------------ MODULE protocol ------------------------------
(* Reserve, create, ask to save, stop and release, with crashes, lost answers and a cancel.
   tests/formal/model.py is the same model in Python; the tests search all its states. *)
EXTENDS Naturals, FiniteSets

CONSTANTS Jobs, Budget

VARIABLES
  state,     \* of each job in the table: "pending", "launching", "running", "stopping", "done"
  reserved,  \* jobs whose attempt holds budget in the table
  truth,     \* of each job's attempt in SageMaker: "none", "live", "ended"
  flying,    \* jobs for which a Create may still take effect
  recent,    \* jobs whose record has a Create so recent that it may still take effect
  cancelled, \* jobs whose cancel was accepted
  asked,     \* jobs whose program was asked to save before the stop
  over,      \* jobs whose notice is over: the program has answered, or its time has passed
  stopped    \* jobs for which a Stop was sent

notices == <<asked, over, stopped>>
vars == <<state, reserved, truth, flying, recent, cancelled, asked, over, stopped>>

Init ==
  /\ state = [j \in Jobs |-> "pending"]
  /\ reserved = {} /\ flying = {} /\ recent = {} /\ cancelled = {}
  /\ truth = [j \in Jobs |-> "none"]
  /\ asked = {} /\ over = {} /\ stopped = {}

ForgetNotice(j) == asked' = asked \ {j} /\ over' = over \ {j} /\ stopped' = stopped \ {j}

\* One transaction, conditional on the budget and on the job's version. The first Create follows at once.
Reserve(j) ==
  /\ state[j] = "pending" /\ Cardinality(reserved) < Budget
  /\ state' = [state EXCEPT ![j] = "launching"]
  /\ reserved' = reserved \cup {j} /\ recent' = recent \cup {j}
  /\ UNCHANGED <<truth, flying, cancelled, notices>>

\* The cycle that finds the reservation sends it; again after a crash, with the same name. The time is recorded first.
Send(j) ==
  /\ j \in reserved /\ state[j] \in {"launching", "stopping"} /\ truth[j] = "none"
  /\ flying' = flying \cup {j} /\ recent' = recent \cup {j}
  /\ UNCHANGED <<state, reserved, truth, cancelled, notices>>

\* The name makes a second Create of an attempt an error without effect.
TakesEffect(j) ==
  /\ j \in flying /\ flying' = flying \ {j}
  /\ truth' = [truth EXCEPT ![j] = IF @ = "none" THEN "live" ELSE @]
  /\ UNCHANGED <<state, reserved, recent, cancelled, notices>>

IsLost(j) ==
  /\ j \in flying /\ flying' = flying \ {j}
  /\ UNCHANGED <<state, reserved, truth, recent, cancelled, notices>>

\* Assumption about SageMaker: within the patience, counted from the recorded time, each Create takes effect or never will.
TimePasses(j) ==
  /\ j \in recent /\ j \notin flying
  /\ recent' = recent \ {j}
  /\ UNCHANGED <<state, reserved, truth, flying, cancelled, notices>>

Confirm(j) ==
  /\ state[j] = "launching" /\ truth[j] # "none"
  /\ state' = [state EXCEPT ![j] = "running"]
  /\ UNCHANGED <<reserved, truth, flying, recent, cancelled, notices>>

\* SageMaker refuses one more Create. Only when, according to the record, no earlier one can still take effect.
Refused(j) ==
  /\ j \in reserved /\ state[j] \in {"launching", "stopping"} /\ truth[j] = "none" /\ j \notin recent
  /\ state' = [state EXCEPT ![j] = "done"]
  /\ reserved' = reserved \ {j}
  /\ UNCHANGED <<truth, flying, recent, cancelled>> /\ ForgetNotice(j)

Cancel(j) ==
  /\ state[j] # "done" /\ j \notin cancelled
  /\ cancelled' = cancelled \cup {j}
  /\ state' = [state EXCEPT ![j] = IF j \in reserved THEN "stopping" ELSE "done"]
  /\ UNCHANGED <<reserved, truth, flying, recent, notices>>

\* Only of a program that has reported that it listens. A notice is never withdrawn.
AskToSave(j) ==
  /\ state[j] = "stopping" /\ truth[j] = "live" /\ j \notin stopped
  /\ asked' = asked \cup {j}
  /\ UNCHANGED <<state, reserved, truth, flying, recent, cancelled, over, stopped>>

\* The program answers, or the time passes. The answer may be lost or forged: it only ends a notice that was given.
NoticeEnds(j) ==
  /\ j \in asked /\ over' = over \cup {j}
  /\ UNCHANGED <<state, reserved, truth, flying, recent, cancelled, asked, stopped>>

\* At once where nobody was asked. Again after a crash.
Stop(j) ==
  /\ state[j] = "stopping" /\ truth[j] = "live" /\ (j \in asked => j \in over)
  /\ stopped' = stopped \cup {j}
  /\ UNCHANGED <<state, reserved, truth, flying, recent, cancelled, asked, over>>

\* The attempt ends by itself, or because it was stopped.
Ends(j) ==
  /\ truth[j] = "live" /\ truth' = [truth EXCEPT ![j] = "ended"]
  /\ UNCHANGED <<state, reserved, flying, recent, cancelled, notices>>

\* Released on a terminal state only.
Settle(j) ==
  /\ j \in reserved /\ truth[j] = "ended" /\ state[j] \in {"running", "stopping"}
  /\ state' = [state EXCEPT ![j] = "done"]
  /\ reserved' = reserved \ {j} /\ recent' = recent \ {j}
  /\ UNCHANGED <<truth, flying, cancelled>> /\ ForgetNotice(j)

Next == \E j \in Jobs :
  Reserve(j) \/ Send(j) \/ TakesEffect(j) \/ IsLost(j) \/ TimePasses(j) \/ Confirm(j) \/ Refused(j) \/ Cancel(j)
    \/ AskToSave(j) \/ NoticeEnds(j) \/ Stop(j) \/ Ends(j) \/ Settle(j)

Spec == Init /\ [][Next]_vars

Live == {j \in Jobs : truth[j] = "live"}
WithinBudget == Cardinality(Live) <= Budget /\ Cardinality(reserved) <= Budget
NoOrphan == Live \subseteq reserved
DoneIsOver == \A j \in Jobs : state[j] = "done" => truth[j] # "live" /\ j \notin flying
CancelWins == \A j \in cancelled : state[j] \in {"stopping", "done"}
NoticeFirst == stopped \cap asked \subseteq over
StopIsDecided == \A j \in stopped : state[j] = "stopping"
=============================================================================
