import pytest

from vizml.ui.widgets.timeline import SPEEDS, Player


@pytest.fixture
def player(qapp):
    player = Player()
    player.shown = []
    player.moved.connect(player.shown.append)
    yield player
    player.stop()


def run(player, seconds, start=0):
    """Let time pass without waiting for it."""
    player.play(start)
    for _ in range(round(seconds * 30)):
        if player.playing:
            player.advance(1 / 30)


def test_a_thousand_steps_take_ten_seconds(player):
    player.count = 1000
    run(player, 9.9)
    assert player.playing
    assert player.shown[-1] < 999
    run(player, 0.2, start=player.shown[-1])
    assert player.shown[-1] == 999


def test_a_short_run_is_slow_enough_to_follow(player):
    player.count = 12
    run(player, 1.0)
    assert player.shown == pytest.approx([1, 2, 3])


def test_no_moment_is_told_twice_and_the_last_ends_it(player):
    player.count = 20
    run(player, 30)
    assert player.shown == list(range(1, 20))
    assert not player.playing


@pytest.mark.parametrize("speed", SPEEDS)
def test_speed_multiplies(player, speed):
    player.count = 1000
    player.speed = speed
    assert player.rate == pytest.approx(100 * speed)


@pytest.mark.parametrize("count", [5, 5000])
def test_any_run_can_be_fitted_into_ten_seconds(player, count):
    player.count, player.speed = count, None
    assert player.rate * 10 == pytest.approx(count)


def test_playing_from_the_end_starts_over(player):
    player.count = 10
    run(player, 0.1, start=9)
    assert player.shown[0] == 0


def test_a_loop_starts_over_by_itself(player):
    player.count, player.loop = 4, True
    run(player, 3)
    assert player.playing
    assert player.shown[:7] == [1, 2, 3, 0, 1, 2, 3]


def test_while_training_goes_on_it_waits_at_the_newest_for_more(player):
    player.count, player.growing = 4, True
    run(player, 3)
    assert player.playing
    assert player.shown == [1, 2, 3]
    player.count = 6
    for _ in range(60):
        player.advance(1 / 30)
    assert player.shown == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("count", [0, 1])
def test_there_is_nothing_to_play_in_one_moment(player, count):
    player.count = count
    player.play(0)
    assert not player.playing
