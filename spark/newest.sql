-- The newest record of each trip, with what became of its other records: `unchanged` are copies of it, byte by byte; `superseded` are
-- the rest. What is missing counts as oldest; of equal versions that of the later export counts, of one export the later record. This
-- is the rule of `RecordRank` in Sources/Trips/TripVersion.swift.
--
-- `facts`: all records of the trips; `ranks`: the exports in force, the run that read each, and its place in the order of their age. Rows of
-- an export that another run read, and refused, do not count.
WITH ranked AS (
  SELECT facts.*, ranks.rank
  FROM facts JOIN ranks ON facts.export = ranks.export AND facts.run = ranks.run
),
placed AS (
  SELECT *,
    ROW_NUMBER() OVER newest_first AS place,
    FIRST_VALUE(content) OVER newest_first AS newest_content
  FROM ranked
  WINDOW newest_first AS (
    PARTITION BY trip_key_high, trip_key_low
    ORDER BY updated_at DESC NULLS LAST, sequence DESC NULLS LAST, rank DESC, record_offset DESC)
),
counted AS (
  SELECT *,
    SUM(CASE WHEN content = newest_content THEN 1 ELSE 0 END) OVER trip - 1 AS unchanged,
    SUM(CASE WHEN content = newest_content THEN 0 ELSE 1 END) OVER trip AS superseded
  FROM placed
  WINDOW trip AS (PARTITION BY trip_key_high, trip_key_low)
)
SELECT * FROM counted WHERE place = 1
