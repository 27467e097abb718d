"""What is refused of disputes 争议 about a hand's points, and of what is ruled on them."""

REFUSALS = """
not_in_hand 403
  Not your hand: {member} did not sit in this hand; only who sat in it has a say here.
  与您无关的牌局：{member} 不在这一局中，只有这一局的玩家可以这样做。
answer_own 403
  Your own dispute: Who filed a dispute does not answer it; the other side does.
  自己的争议：提出争议的人不能自己答复，应由其他玩家答复。
not_the_filer 403
  Not your dispute: Only who filed a dispute may take it back.
  不是您的争议：只有提出争议的人可以撤回。
decider_is_party 403
  A party cannot decide: Who sat in the hand, as whichever member, or spoke as one who did does \
not decide on it.
  当事人不能裁决：参与这一局的人，不论当时是哪位成员，都不能裁决这一局。
decider_again 403
  Another person: Who decided or proposed before does not decide on the appeal.
  须另一人：先前裁决或提议过的人不能再裁决申诉。
dispute_unknown 404
  No such dispute: There is no such dispute, or it is not in your club.
  没有这个争议：争议不存在，或不在您的俱乐部。
dispute_exists 409
  The dispute is there already: A dispute with this id was filed before.
  争议已存在：这个编号的争议已经提出过。
appeal_instead 409
  Appeal instead: The ruling of dispute {dispute} can be appealed against until {until}; nobody \
files anew before.
  应先申诉：争议 {dispute} 的裁决可在 {until} 之前申诉，在此之前不能另提争议。
hand_final 409
  Final: Dispute {dispute} about this hand was decided on appeal; nothing is changed any more.
  已终局：本局的争议 {dispute} 已经申诉裁决，不能再变动。
filing_over 409
  Too late to file: A member could file until {until}; an officer of the club still can.
  已过提出期限：成员可在 {until} 之前提出；俱乐部管理人员仍可提出。
answering_over 409
  Too late to answer: The dispute could be answered until {until}.
  已过答复期限：答复截止于 {until}。
answered_before 409
  Answered already: {member} has answered, and answers once.
  已经答复：{member} 已经答复，每人只能答复一次。
dispute_unanswered 409
  Not yet: Nobody has answered; the others may until {until}, and then it is decided without.
  尚未到时：还没有人答复；其他玩家可在 {until} 之前答复，之后可直接裁决。
deciding_over 409
  Too late to decide: It could be decided until {until}; what was booked stays.
  已过裁决期限：裁决截止于 {until}，已入账的积分不变。
nothing_proposed 409
  Nothing to agree to: No decision waits for a second person.
  没有待同意的裁决：没有等待第二人同意的裁决。
dispute_decided 409
  Decided already: There is a first ruling; a player of the hand may appeal against it once.
  已经裁决：已有初次裁决，这一局的玩家可以申诉一次。
dispute_undecided 409
  Not decided yet: There is no ruling to appeal against.
  尚未裁决：还没有可申诉的裁决。
appealing_over 409
  Too late to appeal: The ruling could be appealed against until {until}, and is final.
  已过申诉期限：申诉截止于 {until}，裁决已生效。
appealed_before 409
  Appealed already: {member} has appealed, and a dispute is appealed once.
  已经申诉：{member} 已经申诉，每个争议只能申诉一次。
dispute_over 409
  Over: The dispute is {state}; nothing more can happen to it.
  争议已结束：争议为 {state} 状态，不能再有任何变动。
deadline_ahead 409
  Not expired: It can still be decided, until {until}.
  尚未过期：在 {until} 之前仍可裁决。
hand_unsettled 409
  Not settled: The points of this hand are not booked yet.
  尚未结算：这一局的积分尚未入账。
revision_stale 409
  Moved on since: The hand is at revision {current_version} now, not {revision}; look at it again.
  版本已过期：这一局现在是第 {current_version} 版，不是第 {revision} 版，请重新查看后再决定。
correction_same 409
  Nothing to correct: That comes to the points that are booked.
  无需更正：结果与已入账的得分相同。
complaint_empty 422
  Nothing claimed: Claim points or an outcome, or say in a note what is wrong.
  没有主张：请给出所主张的得分或结果，或用备注说明问题。
claim_empty 422
  Nothing claimed: Claim the points by seat, or an outcome.
  没有主张：请给出各座得分，或牌局结果。
rule_form 422
  No paragraph: A paragraph of the rules is named like huaihua/1 C5.1.
  不是规则条款：规则条款的写法如 huaihua/1 C5.1。
claim_form 422
  Claimed twice: A claim is told by points or by an outcome, not by both.
  主张重复：主张只能用得分或结果之一表示。
claim_differs 422
  Not this hand: {place} tells {told}, where the hand has {known}.
  与本局不符：{place} 写的是 {told}，而本局是 {known}。
correction_form 422
  What to book: A correction tells points or an outcome, one of them; any other ruling neither.
  更正内容有误：更正须给出得分或结果之一；其他裁决两者都不给。
"""
